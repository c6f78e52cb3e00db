package io.helenus.server.query.selection;

import io.helenus.server.types.CqlType;

/**
 * A part of a row that a selection reads. Immutable.
 *
 * @param index the position of a key column; the number of a range of elements; for other columns,
 *     the cell slot, or that of the first field
 * @param type of the column
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
    /** The value of a counter, the sum of its shares. */
    COUNTER,
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
    TIMES_TO_LIVE,
    /** The value of a user type that is not frozen, assembled from the cells of its fields. */
    FIELDS,
    /** The timestamps of the fields of a user type. */
    FIELD_WRITE_TIMES,
    /** The latest timestamp of the fields of a user type. */
    LATEST_FIELD_WRITE_TIME,
    /** The remaining TTLs of the fields of a user type. */
    FIELD_TIMES_TO_LIVE,
    /** The element of a range with one element: of a set, or the value of a map. */
    ELEMENT,
    /** The elements of a range, as a collection. */
    SLICE,
    /** The timestamp of the element of a range. */
    ELEMENT_WRITE_TIME,
    /** The remaining TTL of the element of a range. */
    ELEMENT_TIME_TO_LIVE,
    /** The timestamps of the elements of a range. */
    SLICE_WRITE_TIMES,
    /** The latest timestamp of the elements of a range. */
    SLICE_LATEST_WRITE_TIME,
    /** The remaining TTLs of the elements of a range. */
    SLICE_TIMES_TO_LIVE;

    /** Whether the input is of a range of elements. */
    boolean isOfRange() {
      return compareTo(ELEMENT) >= 0;
    }

    /** Whether the input is made of the timestamps or expiries of elements. */
    boolean isOfElementTimes() {
      return switch (this) {
        case WRITE_TIMES,
            LATEST_WRITE_TIME,
            TIMES_TO_LIVE,
            ELEMENT_WRITE_TIME,
            ELEMENT_TIME_TO_LIVE,
            SLICE_WRITE_TIMES,
            SLICE_LATEST_WRITE_TIME,
            SLICE_TIMES_TO_LIVE ->
            true;
        case PARTITION_KEY,
            CLUSTERING,
            CELL,
            COUNTER,
            CELLS,
            WRITE_TIME,
            TIME_TO_LIVE,
            FIELDS,
            FIELD_WRITE_TIMES,
            LATEST_FIELD_WRITE_TIME,
            FIELD_TIMES_TO_LIVE,
            ELEMENT,
            SLICE ->
            false;
      };
    }
  }
}
