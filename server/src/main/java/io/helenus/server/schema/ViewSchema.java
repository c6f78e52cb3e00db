package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.storage.engine.TableDescriptor;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
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
    IS_NOT_NULL("IS NOT NULL"),
    /** Equality. */
    EQ("="),
    /** Less. */
    LT("<"),
    /** Less or equal. */
    LTE("<="),
    /** Greater. */
    GT(">"),
    /** Greater or equal. */
    GTE(">="),
    /** Equality to one of several values. */
    IN("IN"),
    /** The element of a list or a set, or the value of a map, that a frozen collection has. */
    CONTAINS("CONTAINS"),
    /** The key that a frozen map has. */
    CONTAINS_KEY("CONTAINS KEY");

    private final String cql;

    Operator(String cql) {
      this.cql = cql;
    }
  }

  /**
   * A relation of the WHERE clause.
   *
   * @param columnIds the column, or those of a tuple of clustering columns
   *     <p>As in Cassandra, IS_NOT_NULL on a column outside the view's primary key excludes no row.
   * @param tuple whether it is shown as one of a tuple, which may have a single column
   * @param values for IS_NOT_NULL none, for IN any number, otherwise one: each has the wire bytes
   *     of a value for every column, or of an element for CONTAINS and CONTAINS_KEY
   * @param right the right side in CQL, as it is shown; empty for IS_NOT_NULL
   */
  public record Condition(
      List<Integer> columnIds,
      boolean tuple,
      Operator operator,
      List<List<byte[]>> values,
      String right) {
    /** Copies. */
    public Condition {
      columnIds = List.copyOf(columnIds);
      values = values.stream().map(List::copyOf).toList();
    }

    /** {@code column IS NOT NULL}. */
    public static Condition notNull(int columnId) {
      return new Condition(List.of(columnId), false, Operator.IS_NOT_NULL, List.of(), "");
    }

    /** In CQL, as Cassandra shows it, with the names that the columns of the base table have. */
    String toCql(TableSchema base) {
      String left =
          columnIds.stream()
              .map(id -> CqlNames.quoted(base.column(id).name()))
              .collect(Collectors.joining(", "));
      String text = (tuple ? "(" + left + ")" : left) + " " + operator.cql;
      return right.isEmpty() ? text : text + " " + right;
    }
  }

  /** The WHERE clause in CQL, as Cassandra shows it. */
  public String where(TableSchema base) {
    return conditions.stream().map(each -> each.toCql(base)).collect(Collectors.joining(" AND "));
  }

  /** Copies. */
  public ViewSchema {
    conditions = List.copyOf(conditions);
    unselected = List.copyOf(unselected);
  }
}
