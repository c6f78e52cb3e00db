package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A restriction of one column, or of several columns as a tuple. Values are slots of the plan.
 * Immutable; any thread.
 */
public sealed interface Restriction {
  /** The columns, in key order for tuples. */
  List<ColumnSchema> columns();

  /** Whether it was written in tuple notation. */
  boolean isTuple();

  /** {@code =}. */
  record Equal(List<ColumnSchema> columns, boolean isTuple, TupleSource value)
      implements Restriction {}

  /**
   * {@code IN}.
   *
   * @param values the listed values; empty if the list is bound to one marker
   * @param listSlot the slot of that marker; -1 if the values are listed
   */
  record In(List<ColumnSchema> columns, boolean isTuple, List<TupleSource> values, int listSlot)
      implements Restriction {}

  /**
   * What a collection has to contain: CONTAINS, CONTAINS KEY and entries of a map, any number of
   * them. Rows are tested against it.
   */
  record Contains(List<ColumnSchema> columns, List<Part> parts) implements Restriction {
    /**
     * A part of the collection.
     *
     * @param keySlot the slot of the key of a map; -1 for any key
     * @param valueSlot the slot of the value or element; -1 for any value
     */
    record Part(int keySlot, int valueSlot) {
      /** Whether it is an entry of a map, with a key and a value. */
      boolean isEntry() {
        return keySlot >= 0 && valueSlot >= 0;
      }
    }

    @Override
    public boolean isTuple() {
      return false;
    }
  }

  /**
   * One end of a slice; on tuples, the two ends may have different numbers of columns.
   *
   * @param isTuple whether this end was written in tuple notation
   */
  record Bound(List<ColumnSchema> columns, boolean isTuple, TupleSource value, boolean inclusive) {}

  /** A range with one or two ends; a missing end is null. */
  record Slice(
      List<ColumnSchema> columns, boolean isTuple, @Nullable Bound lower, @Nullable Bound upper)
      implements Restriction {}

  /** Whether it is on a partition key or static column and thus applies to whole partitions. */
  default boolean isOnPartition() {
    return switch (firstColumn().kind()) {
      case PARTITION_KEY, STATIC -> true;
      case CLUSTERING, REGULAR -> false;
    };
  }

  /** The first of the columns. */
  default ColumnSchema firstColumn() {
    return columns().getFirst();
  }

  /** Whether it restricts this column. */
  default boolean covers(ColumnSchema column) {
    return columns().contains(column);
  }

  /** The columns that both restrict, in Cassandra's format. */
  default String columnsInCommon(Restriction other) {
    return columns().stream()
        .filter(other::covers)
        .map(ColumnSchema::name)
        .collect(Collectors.joining(" ,"));
  }
}
