package io.helenus.server.query.selection;

import io.helenus.server.types.CqlType;

/**
 * A part of a row that a selection reads. Immutable.
 *
 * @param index the position of a key column; for other columns, the cell slot
 */
public record SelectionInput(Kind kind, int index, CqlType type) {
  /** The kind of input. */
  public enum Kind {
    /** A partition key column. */
    PARTITION_KEY,
    /** A clustering column. */
    CLUSTERING,
    /** The value of a cell. */
    CELL,
    /** The value of a multi-cell column, assembled from its cells. */
    CELLS,
    /** The timestamp of a cell. */
    WRITE_TIME,
    /** The remaining TTL of a cell. */
    TIME_TO_LIVE,
    /** The timestamps of the cells of a multi-cell column. */
    WRITE_TIMES,
    /** The latest timestamp of the cells of a multi-cell column. */
    LATEST_WRITE_TIME,
    /** The remaining TTLs of the cells of a multi-cell column. */
    TIMES_TO_LIVE
  }
}
