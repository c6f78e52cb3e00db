package io.helenus.server.schema;

import io.helenus.storage.engine.TableDescriptor;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What makes a table a materialized view: its rows are computed from those of a base table of the
 * same keyspace. A view's columns have the ids of the base table's columns that they show.
 * Immutable; any thread.
 *
 * @param baseTable the name of the base table
 * @param baseId the id of the base table
 * @param allColumns whether it was created with {@code SELECT *}, so that it gets the columns that
 *     are added to the base table
 * @param conditions which rows of the base table it shows, in the order in which they were written
 * @param keyColumn the id of the column of the view's primary key that is not in the primary key of
 *     the base table; null if there is none. It is a regular column of the base table
 * @param unselected the regular columns of the base table that the view does not show, by ascending
 *     id. Without a key column of its own, a row of the view exists as long as the row of the base
 *     table, if only because of these
 */
public record ViewSchema(
    String baseTable,
    UUID baseId,
    boolean allColumns,
    List<Condition> conditions,
    @Nullable Integer keyColumn,
    List<TableDescriptor.Column> unselected) {

  /** How a condition compares. */
  public enum Operator {
    /** IS NOT NULL. */
    IS_NOT_NULL,
    /** Equality. */
    EQ,
    /** Less. */
    LT,
    /** Less or equal. */
    LTE,
    /** Greater. */
    GT,
    /** Greater or equal. */
    GTE,
    /** Equality to one of several values. */
    IN
  }

  /**
   * A relation of the WHERE clause.
   *
   * @param columnIds the column, or those of a tuple of clustering columns
   * @param values for IS_NOT_NULL none, for IN any number, otherwise one: each has the wire bytes
   *     of a value for every column
   */
  public record Condition(List<Integer> columnIds, Operator operator, List<List<byte[]>> values) {
    /** Copies. */
    public Condition {
      columnIds = List.copyOf(columnIds);
      values = values.stream().map(List::copyOf).toList();
    }
  }

  /** Copies. */
  public ViewSchema {
    conditions = List.copyOf(conditions);
    unselected = List.copyOf(unselected);
  }
}
