package io.helenus.copy.schema;

import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Definitions as CQL. Stateless. */
final class SchemaText {
  /** Columns of {@code system_schema.tables} that are no options, or have no effect since 4.0. */
  private static final Set<String> NO_OPTIONS =
      Set.of("id", "flags", "extensions", "dclocal_read_repair_chance", "read_repair_chance");

  private SchemaText() {}

  static String keyspace(KeyspaceMetadata keyspace, String replication) {
    return "CREATE KEYSPACE "
        + keyspace.getName().asCql(true)
        + " WITH replication = "
        + replication
        + " AND durable_writes = "
        + keyspace.isDurableWrites();
  }

  /** The replication of a keyspace as a literal. */
  static String replication(KeyspaceMetadata keyspace) {
    return literal(keyspace.getReplication());
  }

  static String type(UserDefinedType type) {
    StringJoiner fields = new StringJoiner(", ", " (", ")");
    for (int i = 0; i < type.getFieldNames().size(); i++) {
      fields.add(
          type.getFieldNames().get(i).asCql(true)
              + " "
              + type.getFieldTypes().get(i).asCql(true, true));
    }
    return "CREATE TYPE " + name(type) + fields;
  }

  static String name(UserDefinedType type) {
    return type.getKeyspace() == null
        ? type.getName().asCql(true)
        : type.getKeyspace().asCql(true) + "." + type.getName().asCql(true);
  }

  static String name(TableMetadata table) {
    return table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
  }

  /** CREATE TABLE up to and including the parenthesis after the columns. */
  static String columns(TableMetadata table) {
    StringJoiner columns = new StringJoiner(", ", "CREATE TABLE " + name(table) + " (", "");
    for (ColumnMetadata column : table.getColumns().values()) {
      columns.add(column(column));
    }
    columns.add(
        "PRIMARY KEY ("
            + names(table.getPartitionKey())
            + table.getClusteringColumns().keySet().stream()
                .map(column -> ", " + column.getName().asCql(true))
                .collect(Collectors.joining())
            + ")");
    return columns + ")";
  }

  private static String names(Iterable<ColumnMetadata> columns) {
    StringJoiner names = new StringJoiner(", ", "(", ")");
    columns.forEach(column -> names.add(column.getName().asCql(true)));
    return names.toString();
  }

  /** A column with its type. */
  static String column(ColumnMetadata column) {
    return column.getName().asCql(true)
        + " "
        + column.getType().asCql(true, true)
        + (column.isStatic() ? " static" : "");
  }

  /** What identifies the rows of a table: the same in both sides, or they cannot be copied. */
  static String keys(TableMetadata table) {
    return "PRIMARY KEY (" + names(table.getPartitionKey()) + ", " + order(table) + ")";
  }

  private static String order(TableMetadata table) {
    return table.getClusteringColumns().entrySet().stream()
        .map(entry -> entry.getKey().getName().asCql(true) + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /**
   * The WITH clause.
   *
   * @param known the options that the target knows
   */
  static String options(TableMetadata table, Set<String> known) {
    StringJoiner options = new StringJoiner(" AND ", " WITH ", "").setEmptyValue("");
    if (table.isCompactStorage()) {
      options.add("COMPACT STORAGE");
    }
    if (table.getClusteringColumns().containsValue(ClusteringOrder.DESC)) {
      options.add("CLUSTERING ORDER BY (" + order(table) + ")");
    }
    table
        .getOptions()
        .forEach(
            (option, value) -> {
              String name = option.asInternal();
              if (value != null && known.contains(name) && !NO_OPTIONS.contains(name)) {
                options.add(name + " = " + literal(value));
              }
            });
    return options.toString();
  }

  private static String literal(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          new TreeMap<>(map)
              .entrySet().stream()
                  .map(entry -> literal(entry.getKey()) + ": " + literal(entry.getValue()))
                  .collect(Collectors.joining(", ", "{", "}"));
      case String text -> "'" + text.replace("'", "''") + "'";
      default -> value.toString();
    };
  }
}
