package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a WHERE clause says of one column, or of several at once as a tuple. Values are slots of the
 * plan. Immutable.
 */
public sealed interface Restriction {
  /** The columns, in key order for tuples. */
  List<ColumnSchema> columns();

  /** Whether it was written with tuple notation. */
  boolean isTuple();

  /** {@code =}. */
  record Equal(List<ColumnSchema> columns, boolean isTuple, TupleSource value)
      implements Restriction {}

  /**
   * {@code IN}.
   *
   * @param values the values in parentheses; empty when one marker holds the list
   * @param listSlot the slot of that marker, -1 when there is none
   */
  record In(List<ColumnSchema> columns, boolean isTuple, List<TupleSource> values, int listSlot)
      implements Restriction {}

  /** One end of a range; for tuples of fewer columns than the other end too. */
  record Bound(List<ColumnSchema> columns, TupleSource value, boolean inclusive) {}

  /** A range with one or two ends. */
  record Slice(
      List<ColumnSchema> columns, boolean isTuple, @Nullable Bound lower, @Nullable Bound upper)
      implements Restriction {}

  /** Whether the key and the static row of a partition decide it. */
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

  /** The columns that both restrict, as Cassandra lists them. */
  default String columnsInCommon(Restriction other) {
    return columns().stream()
        .filter(other::covers)
        .map(ColumnSchema::name)
        .collect(Collectors.joining(" ,"));
  }
}
