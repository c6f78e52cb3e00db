package io.helenus.server.query.explain;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.server.advice.Advice;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.WhereCompiler;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the key of its table does not serve: which column stands in the way, and what
 * would serve it. Immutable; any thread.
 *
 * @param table that does not serve it
 * @param obstacle the column that stands in the way and why, as a sentence without a full stop
 * @param proposals what would serve it, the best first; empty if nothing would
 */
public record RefusedQuery(TableSchema table, String obstacle, List<Proposal> proposals) {
  private static final List<String> OF_KEYS =
      List.of(
          WhereCompiler.FILTERING_NEEDED,
          WhereCompiler.FILTERING_DISABLED,
          "PRIMARY KEY column",
          "Clustering column",
          "Clustering columns",
          "Order by ",
          "ORDER BY ",
          "Unsupported order by relation",
          "Some partition key parts are missing",
          "Some clustering keys are missing");

  /**
   * What would serve a statement.
   *
   * @param kind table, index or view
   * @param cql the statement that creates it
   * @param cost what it costs
   */
  public record Proposal(String kind, String cql, String cost) {}

  /** Copies the list. */
  public RefusedQuery {
    proposals = List.copyOf(proposals);
  }

  /**
   * Judges a statement that was refused.
   *
   * @return null if the refusal is not about the key of its table
   */
  public static @Nullable RefusedQuery of(
      Statement statement, CqlException refusal, Schema schema, @Nullable String keyspaceInUse) {
    TableSchema table = table(statement, refusal, schema, keyspaceInUse);
    if (table == null) {
      return null;
    }
    return switch (statement) {
      case SelectStatement select -> {
        QueryShape shape = QueryShape.of(table, select);
        KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
        yield shape == null || keyspace == null || keyspace.isVirtual()
            ? null
            : new RefusedQuery(
                table,
                obstacle(table, shape),
                SchemaNames.isSystem(table.keyspace())
                    ? List.of()
                    : Proposals.of(table, shape, keyspace));
      }
      case ModificationStatement _ ->
          new RefusedQuery(table, "a write names its rows by their whole key", List.of());
      default -> null;
    };
  }

  /** The table of a statement that was refused; null if the refusal is not about its key. */
  public static @Nullable TableSchema table(
      Statement statement, CqlException refusal, Schema schema, @Nullable String keyspaceInUse) {
    String message = refusal.error().message();
    if (OF_KEYS.stream().noneMatch(message::startsWith)) {
      return null;
    }
    return switch (statement) {
      case SelectStatement select -> SchemaNames.table(schema, select.table(), keyspaceInUse);
      case ModificationStatement write -> SchemaNames.table(schema, write.table(), keyspaceInUse);
      default -> null;
    };
  }

  private static String obstacle(TableSchema table, QueryShape shape) {
    List<ColumnSchema> missing =
        table.partitionKey().stream().filter(each -> !shape.equal().contains(each)).toList();
    if (!missing.isEmpty()) {
      return ofPartitionKey(missing, table, shape);
    }
    ColumnSchema skipped = null;
    for (ColumnSchema column : table.clusteringColumns()) {
      if (skipped != null && shape.restricts(column)) {
        return after(skipped, column, shape);
      }
      if (skipped == null && !shape.equal().contains(column)) {
        skipped = column;
      }
    }
    for (ColumnSchema column : table.columns()) {
      if (!column.isPrimaryKey() && shape.restricts(column)) {
        return name(column)
            + " is not part of the key and no index serves it: all rows of the partition would be"
            + " read to find some";
      }
    }
    return ofOrder(table, shape);
  }

  private static String ofPartitionKey(
      List<ColumnSchema> missing, TableSchema table, QueryShape shape) {
    ColumnSchema first = missing.getFirst();
    if (shape.ranges().contains(first)) {
      return name(first)
          + " is a partition key column restricted to a range: partitions are stored in the order"
          + " of their tokens, not of their keys";
    }
    String text =
        (missing.size() == 1 ? "partition key column " : "partition key columns ")
            + Clauses.joined(missing.stream().map(ColumnSchema::name).toList())
            + (missing.size() == 1 ? " has" : " have")
            + " no value: every partition of every node would be read";
    for (ColumnSchema column : table.columns()) {
      if (column.kind() != ColumnKind.PARTITION_KEY && shape.restricts(column)) {
        return name(column) + " does not lead to a partition, and " + text;
      }
    }
    return text;
  }

  private static String after(ColumnSchema skipped, ColumnSchema column, QueryShape shape) {
    return name(skipped)
        + (shape.ranges().contains(skipped)
            ? " is restricted to a range"
            : shape.elements().contains(skipped) ? " has no single value" : " has no value")
        + ", and rows are sorted by it before "
        + name(column)
        + ": those that match are not next to each other";
  }

  private static String ofOrder(TableSchema table, QueryShape shape) {
    for (ColumnSchema column : shape.order().keySet()) {
      if (column.kind() != ColumnKind.CLUSTERING) {
        return name(column) + " is no clustering column: rows are not stored in its order";
      }
    }
    List<String> stored =
        table.clusteringColumns().stream()
            .map(each -> CqlNames.quoted(each.name()) + (each.descending() ? " DESC" : " ASC"))
            .toList();
    return "rows are stored by "
        + String.join(", ", stored)
        + " and can be read in this order or its reverse only";
  }

  private static String name(ColumnSchema column) {
    return CqlNames.quoted(column.name());
  }

  /** What a client whose statement is refused is told. */
  public Advice advice() {
    String instead = proposals.isEmpty() ? "" : proposals.getFirst().cql();
    return new Advice(StatementAdvisor.REFUSED, table.cqlName(), obstacle + ".", instead);
  }
}
