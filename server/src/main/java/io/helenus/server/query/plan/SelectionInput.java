package io.helenus.server.query.plan;

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
    /** The timestamp of a cell. */
    WRITE_TIME,
    /** How long a cell still lives. */
    TIME_TO_LIVE
  }
}
