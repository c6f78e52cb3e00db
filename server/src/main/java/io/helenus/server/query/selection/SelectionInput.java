package io.helenus.server.query.selection;

import io.helenus.server.types.CqlType;

/**
 * Something of a row that a selection reads. Immutable.
 *
 * @param index the position of a key column, else the cell slot of the column
 */
public record SelectionInput(Kind kind, int index, CqlType type) {
  /** Where it is found. */
  public enum Kind {
    /** A partition key column. */
    PARTITION_KEY,
    /** A clustering column. */
    CLUSTERING,
    /** The value of a cell. */
    CELL,
    /** The value of a multi-cell column, put together from its cells. */
    CELLS,
    /** The timestamp of a cell. */
    WRITE_TIME,
    /** How long a cell still lives. */
    TIME_TO_LIVE,
    /** The timestamps of the cells of a multi-cell column. */
    WRITE_TIMES,
    /** The latest of them. */
    LATEST_WRITE_TIME,
    /** How long the cells of a multi-cell column still live. */
    TIMES_TO_LIVE
  }
}
