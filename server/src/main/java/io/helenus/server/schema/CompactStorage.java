package io.helenus.server.schema;

/**
 * The layout of a table created WITH COMPACT STORAGE, from which its hidden columns and its
 * restrictions follow. Rows of such a table have no liveness: they exist as long as they have a
 * value.
 */
public enum CompactStorage {
  /** An ordinary table. */
  NONE,
  /**
   * Created without clustering columns. The columns outside the primary key are static; a
   * clustering column and a regular column are hidden.
   */
  STATIC,
  /**
   * Created with clustering columns, of which the last ones of a row may be null. Has one regular
   * column; it is hidden and has the type {@code empty} if the table was created without one.
   */
  DENSE
}
