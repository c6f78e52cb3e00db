package io.helenus.storage.engine;

import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;

/**
 * Receives the elements of multi-cell columns as a read finds them, so that a large collection is
 * not first assembled to a row. They are live and come in the order of cells in a row
 * (storage/docs/rows.md), before {@link RowSink#row} is called for their row. That row does not
 * contain them, except one that makes it exist if nothing else does.
 *
 * <p>Elements whose row does not exist or is passed over are followed by {@link #beginRow} instead.
 * Called on the shard that owns the row. What it receives is valid only during the call.
 */
public interface ElementSink {
  /**
   * Begins elements of a column, after those of another or at the start of a read. Returns whether
   * it receives them, rather than the row; the same for a whole read.
   */
  boolean beginColumn(int column);

  /** Starts a row: elements received since the last {@link RowSink#row} are not returned. */
  void beginRow();

  /** Receives an element. */
  void element(ElementView element, ElementValue value);
}
