package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.types.UserType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The statements that recreate a keyspace, table or view, exactly as Apache Cassandra 5.0.9 renders
 * them. Stateless; any thread.
 */
final class DefinitionText {
  private DefinitionText() {}

  static String keyspace(KeyspaceSchema keyspace) {
    String name = CqlNames.quoted(keyspace.name());
    if (keyspace.isVirtual()) {
      return virtual("Keyspace", name, "VIRTUAL KEYSPACE " + name + ";");
    }
    Map<String, String> replication = keyspace.replication().toMap();
    replication.put("class", keyspace.replication().simpleName());
    return "CREATE KEYSPACE "
        + name
        + " WITH replication = "
        + map(replication)
        + "  AND durable_writes = "
        + keyspace.durableWrites()
        + ";";
  }

  static String table(TableSchema table, boolean isVirtual, boolean withInternals) {
    String name = table.cqlName();
    if (table.isCompact()) {
      return compact(table, name, withInternals);
    }
    return statement(table, name, isVirtual, withInternals);
  }

  /** Not a statement but a comment, since hidden columns cannot be declared. */
  private static String compact(TableSchema table, String name, boolean withInternals) {
    return "/*\nWarning: Table "
        + name
        + " omitted because it has constructs not compatible with CQL (was created via legacy"
        + " API).\n"
        + "Approximate structure, for reference:\n"
        + "(this should not be used to reproduce this schema)\n\n"
        + statement(table, name, false, withInternals)
        + "\n*/";
  }

  private static String statement(
      TableSchema table, String name, boolean isVirtual, boolean withInternals) {
    StringBuilder out = new StringBuilder(1024);
    out.append(isVirtual ? "VIRTUAL TABLE " : "CREATE TABLE ").append(name).append(" (\n    ");
    out.append(String.join(",\n    ", columns(table, withInternals))).append("\n) WITH ");
    out.append(String.join("\n    AND ", properties(table, isVirtual, withInternals))).append(';');
    if (isVirtual) {
      return virtual("Table", name, out.toString());
    }
    if (withInternals) {
      drops(table).forEach(drop -> out.append('\n').append(drop));
    }
    return out.toString();
  }

  /** The statement that creates a table, with its id, of these columns and this primary key. */
  static String statement(TableSchema table, List<String> columns) {
    return "CREATE TABLE "
        + table.cqlName()
        + " (\n    "
        + String.join(",\n    ", columns)
        + "\n) WITH "
        + String.join("\n    AND ", properties(table, false, true))
        + ";";
  }

  static String view(TableSchema base, TableSchema view, boolean withInternals) {
    ViewSchema definition = Objects.requireNonNull(view.view());
    StringBuilder out = new StringBuilder(1024);
    out.append("CREATE MATERIALIZED VIEW ").append(view.cqlName()).append(" AS\n    SELECT ");
    out.append(definition.allColumns() ? "*" : names(view.columns()));
    out.append("\n    FROM ").append(base.cqlName());
    out.append("\n    WHERE ").append(definition.where(base));
    out.append("\n    ").append(primaryKey(view)).append("\n WITH ");
    List<String> lines = properties(view, false, withInternals);
    lines.removeIf(line -> line.startsWith("default_time_to_live ="));
    return out.append(String.join("\n    AND ", lines)).append(';').toString();
  }

  static String index(TableSchema table, IndexSchema index) {
    SortedMap<String, String> options = new TreeMap<>(index.options());
    String className = options.remove("class_name");
    StringBuilder out = new StringBuilder();
    out.append(className == null ? "CREATE INDEX " : "CREATE CUSTOM INDEX ");
    out.append(CqlNames.quoted(index.name())).append(" ON ").append(table.cqlName());
    out.append(" (").append(table.targetOf(index)).append(')');
    if (className != null) {
      out.append(" USING ").append(CqlNames.literal(className));
    }
    if (!options.isEmpty()) {
      out.append(" WITH OPTIONS = ").append(map(options));
    }
    return out.append(';').toString();
  }

  static String type(UserType type) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < type.fieldNames().size(); i++) {
      fields.add(
          CqlNames.quoted(type.fieldNames().get(i)) + " " + type.fieldTypes().get(i).toCql());
    }
    return "CREATE TYPE "
        + CqlNames.quoted(type.keyspace())
        + "."
        + CqlNames.quoted(type.name())
        + " (\n    "
        + String.join(",\n    ", fields)
        + "\n);";
  }

  /** Types sorted by name, but after the types that they use. */
  static List<UserType> inOrderOfUse(List<UserType> types) {
    List<UserType> ordered = new ArrayList<>();
    List<UserType> left = new ArrayList<>(types);
    while (!left.isEmpty()) {
      UserType next = left.getFirst();
      for (UserType candidate : left) {
        if (left.stream().noneMatch(other -> uses(candidate, other))) {
          next = candidate;
          break;
        }
      }
      ordered.add(next);
      left.remove(next);
    }
    return ordered;
  }

  private static boolean uses(UserType type, UserType other) {
    return type.fieldTypes().stream().anyMatch(field -> field.references(other));
  }

  private static String virtual(String kind, String name, String structure) {
    return "/*\nWarning: "
        + kind
        + " "
        + name
        + " is a virtual "
        + kind.toLowerCase(java.util.Locale.ROOT)
        + " and cannot be recreated with CQL.\nStructure, for reference:\n"
        + structure
        + "\n*/";
  }

  private static List<String> columns(TableSchema table, boolean withInternals) {
    List<String> lines = new ArrayList<>();
    boolean single = table.partitionKey().size() == 1 && !table.hasClusteringColumns();
    for (ColumnSchema column : table.partitionKey()) {
      lines.add(column(column) + mask(column) + (single ? " PRIMARY KEY" : ""));
    }
    for (ColumnSchema column : declaredClustering(table)) {
      lines.add(column(column) + mask(column));
    }
    boolean hidesStatic = table.compactStorage() == CompactStorage.STATIC;
    simpleFirst(table, table.staticColumns(), withInternals, hidesStatic ? "" : " static", lines);
    simpleFirst(table, table.regularColumns(), withInternals, "", lines);
    if (withInternals) {
      for (DroppedColumn dropped : dropped(table)) {
        lines.add(dropped(dropped));
      }
    }
    if (!single) {
      lines.add(primaryKey(table));
    }
    return lines;
  }

  /**
   * The dropped columns in Cassandra's order: the iteration order of a hash map by name with the
   * minimum capacity for them.
   */
  private static Iterable<DroppedColumn> dropped(TableSchema table) {
    List<DroppedColumn> dropped = new ArrayList<>(table.droppedColumns());
    dropped.sort(Comparator.comparingLong(DroppedColumn::droppedAtMicros));
    Map<ByteBuffer, DroppedColumn> byHash = new HashMap<>((int) (dropped.size() / 0.75 + 1));
    for (DroppedColumn column : dropped) {
      byHash.put(ByteBuffer.wrap(column.name().getBytes(StandardCharsets.UTF_8)), column);
    }
    return byHash.values();
  }

  /** With internals, columns that were dropped and added again are listed as dropped columns. */
  private static void simpleFirst(
      TableSchema table,
      List<ColumnSchema> all,
      boolean withInternals,
      String suffix,
      List<String> lines) {
    List<ColumnSchema> columns = new ArrayList<>(all);
    columns.removeIf(table::isHidden);
    if (withInternals) {
      columns.removeIf(column -> table.droppedColumn(column.name()) != null);
    }
    for (ColumnSchema column : columns) {
      if (!column.type().isMultiCell()) {
        lines.add(column(column) + suffix + mask(column));
      }
    }
    for (ColumnSchema column : columns) {
      if (column.type().isMultiCell()) {
        lines.add(column(column) + suffix + mask(column));
      }
    }
  }

  private static String column(ColumnSchema column) {
    return CqlNames.quoted(column.name()) + " " + column.type().toCql();
  }

  /** The mask and the constraints of a column. */
  private static String mask(ColumnSchema column) {
    ColumnMask mask = column.mask();
    String masked = mask == null ? "" : " MASKED WITH " + mask.toCql();
    return column.constraints().isEmpty() ? masked : masked + " CHECK " + column.constraintsCql();
  }

  /** A column in CREATE TABLE or ALTER TABLE. */
  static String declared(ColumnSchema column) {
    return column(column) + (column.isStatic() ? " static" : "") + mask(column);
  }

  /** A dropped column there. */
  static String dropped(DroppedColumn column) {
    return CqlNames.quoted(column.name())
        + " "
        + column.type().toCql()
        + (column.kind() == ColumnKind.STATIC ? " static" : "");
  }

  static String primaryKey(TableSchema table) {
    String partition = names(table.partitionKey());
    if (table.partitionKey().size() > 1) {
      partition = "(" + partition + ")";
    }
    List<ColumnSchema> declared = declaredClustering(table);
    String clustering = declared.isEmpty() ? "" : ", " + names(declared);
    return "PRIMARY KEY (" + partition + clustering + ")";
  }

  private static List<ColumnSchema> declaredClustering(TableSchema table) {
    return table.compactStorage() == CompactStorage.STATIC ? List.of() : table.clusteringColumns();
  }

  private static String names(List<ColumnSchema> columns) {
    List<String> names = new ArrayList<>(columns.size());
    for (ColumnSchema column : columns) {
      names.add(CqlNames.quoted(column.name()));
    }
    return String.join(", ", names);
  }

  private static List<String> properties(
      TableSchema table, boolean isVirtual, boolean withInternals) {
    List<String> lines = new ArrayList<>();
    if (table.isCompact()) {
      lines.add("COMPACT STORAGE");
    }
    if (withInternals) {
      lines.add("ID = " + table.id());
    }
    if (table.hasClusteringColumns()) {
      List<String> orders = new ArrayList<>();
      for (ColumnSchema column : table.clusteringColumns()) {
        orders.add(CqlNames.quoted(column.name()) + (column.descending() ? " DESC" : " ASC"));
      }
      lines.add("CLUSTERING ORDER BY (" + String.join(", ", orders) + ")");
    }
    if (isVirtual) {
      lines.add("comment = " + CqlNames.literal(table.options().comment()));
    } else {
      options(table.options(), lines);
    }
    return lines;
  }

  private static void options(TableOptions options, List<String> lines) {
    lines.add("additional_write_policy = " + CqlNames.literal(options.additionalWritePolicy()));
    lines.add("allow_auto_snapshot = " + options.allowAutoSnapshot());
    lines.add("bloom_filter_fp_chance = " + options.bloomFilterFalsePositiveChance());
    lines.add("caching = " + map(options.caching()));
    lines.add("cdc = " + options.cdc());
    lines.add("comment = " + CqlNames.literal(options.comment()));
    lines.add("compaction = " + map(options.compaction()));
    lines.add("compression = " + map(options.compression()));
    lines.add("memtable = " + CqlNames.literal(options.memtable()));
    lines.add("crc_check_chance = " + options.crcCheckChance());
    lines.add("default_time_to_live = " + options.defaultTimeToLiveSeconds());
    lines.add("extensions = " + extensions(options.extensions()));
    lines.add("gc_grace_seconds = " + options.gcGraceSeconds());
    lines.add("incremental_backups = " + options.incrementalBackups());
    lines.add("max_index_interval = " + options.maxIndexInterval());
    lines.add("memtable_flush_period_in_ms = " + options.memtableFlushPeriodMillis());
    lines.add("min_index_interval = " + options.minIndexInterval());
    lines.add("read_repair = " + CqlNames.literal(options.readRepair()));
    lines.add("speculative_retry = " + CqlNames.literal(options.speculativeRetry()));
  }

  private static String map(Map<String, String> map) {
    List<String> entries = new ArrayList<>(map.size());
    for (Map.Entry<String, String> entry : map.entrySet()) {
      entries.add(CqlNames.literal(entry.getKey()) + ": " + CqlNames.literal(entry.getValue()));
    }
    return "{" + String.join(", ", entries) + "}";
  }

  private static String extensions(Map<String, String> extensions) {
    List<String> entries = new ArrayList<>(extensions.size());
    for (Map.Entry<String, String> entry : extensions.entrySet()) {
      entries.add(CqlNames.literal(entry.getKey()) + ": 0x" + entry.getValue());
    }
    return "{" + String.join(", ", entries) + "}";
  }

  /** The statements that drop the dropped columns, and add those that were added again. */
  static List<String> drops(TableSchema table) {
    List<String> statements = new ArrayList<>();
    String alter = "ALTER TABLE " + table.cqlName();
    for (DroppedColumn dropped : dropped(table)) {
      statements.add(
          alter
              + " DROP "
              + CqlNames.quoted(dropped.name())
              + " USING TIMESTAMP "
              + dropped.droppedAtMicros()
              + ";");
      ColumnSchema again = table.column(dropped.name());
      if (again != null) {
        statements.add(alter + " ADD " + column(again) + (again.isStatic() ? " static;" : ";"));
      }
    }
    return statements;
  }
}
