package io.helenus.server.system;

import io.helenus.server.schema.ColumnMask;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.ValueText;
import io.helenus.server.types.WireValues;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tables of {@code system_schema}, which describe keyspaces that are not virtual. Stateless.
 */
final class SchemaTables {
  private SchemaTables() {}

  static void produce(Schema schema, VirtualRows rows, SchemaWalk walk) {
    switch (rows.table().name()) {
      case "keyspaces" -> walk.forEachKeyspace(rows, keyspace -> keyspace(keyspace, rows));
      case "tables" -> walk.forEachTable(rows, table -> table(table, rows));
      case "views" -> walk.forEachTable(rows, table -> view(schema, table, rows));
      case "columns" -> walk.forEachTable(rows, table -> columns(table, rows));
      case "dropped_columns" -> walk.forEachTable(rows, table -> droppedColumns(table, rows));
      case "types" ->
          walk.forEachKeyspace(rows, keyspace -> keyspace.types().forEach(t -> type(t, rows)));
      case "column_masks" -> walk.forEachTable(rows, table -> columnMasks(table, rows));
      case "indexes" -> walk.forEachTable(rows, table -> indexes(table, rows));
      default -> {
        // Functions, aggregates and triggers cannot be created, so these are empty.
      }
    }
  }

  private static void keyspace(KeyspaceSchema keyspace, VirtualRows rows) {
    rows.row()
        .text("keyspace_name", keyspace.name())
        .bool("durable_writes", keyspace.durableWrites())
        .textMap("replication", keyspace.replication().toMap())
        .end();
  }

  private static void table(TableSchema table, VirtualRows rows) {
    if (table.view() != null) {
      return;
    }
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .textSet("flags", table.flags())
        .uuid("id", table.id());
    end(table.options(), rows);
  }

  private static void view(Schema schema, TableSchema table, VirtualRows rows) {
    ViewSchema view = table.view();
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    if (view == null || keyspace == null) {
      return;
    }
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("view_name", table.name())
        .uuid("base_table_id", view.baseId())
        .text("base_table_name", view.baseTable())
        .uuid("id", table.id())
        .bool("include_all_columns", view.allColumns())
        .text("where_clause", view.where(keyspace.baseOf(view)));
    end(table.options(), rows);
  }

  /** Ends a row with options. */
  private static void end(TableOptions options, VirtualRows rows) {
    options(options, rows);
    if (!options.allowAutoSnapshot()) {
      rows.bool("allow_auto_snapshot", false);
    }
    if (!options.incrementalBackups()) {
      rows.bool("incremental_backups", false);
    }
    rows.end();
  }

  /**
   * Sets the options that are never null. allow_auto_snapshot, incremental_backups, memtable and
   * cdc are null at their defaults.
   */
  private static void options(TableOptions options, VirtualRows rows) {
    rows.text("additional_write_policy", options.additionalWritePolicy())
        .real("bloom_filter_fp_chance", options.bloomFilterFalsePositiveChance())
        .textMap("caching", options.caching())
        .text("comment", options.comment())
        .textMap("compaction", options.compaction())
        .textMap("compression", options.compression())
        .real("crc_check_chance", options.crcCheckChance())
        .real("dclocal_read_repair_chance", 0)
        .number("default_time_to_live", options.defaultTimeToLiveSeconds())
        .set("extensions", () -> extensions(options.extensions()))
        .number("gc_grace_seconds", options.gcGraceSeconds())
        .number("max_index_interval", options.maxIndexInterval())
        .number("memtable_flush_period_in_ms", options.memtableFlushPeriodMillis())
        .number("min_index_interval", options.minIndexInterval())
        .text("read_repair", options.readRepair())
        .real("read_repair_chance", 0)
        .text("speculative_retry", options.speculativeRetry());
  }

  private static byte[] extensions(SortedMap<String, String> extensions) {
    List<byte[]> entries = new ArrayList<>();
    for (Map.Entry<String, String> entry : extensions.entrySet()) {
      entries.add(WireValues.ofText(entry.getKey()));
      entries.add(HexFormat.of().parseHex(entry.getValue()));
    }
    return WireValues.ofEntries(entries);
  }

  /** The columns of a table, here and in system_virtual_schema. */
  static void columns(TableSchema table, VirtualRows rows) {
    for (ColumnSchema column : table.columns()) {
      column(table, column, rows);
    }
  }

  private static void column(TableSchema table, ColumnSchema column, VirtualRows rows) {
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .text("column_name", column.name())
        .text("clustering_order", column.clusteringOrder())
        .text("column_name_bytes", column.name())
        .text("kind", column.kind().cqlName())
        .number("position", column.position())
        .set("type", () -> WireValues.ofText(column.type().toCql()))
        .end();
  }

  private static void indexes(TableSchema table, VirtualRows rows) {
    for (IndexSchema index : table.indexes()) {
      Map<String, String> options = new TreeMap<>(index.options());
      options.put("target", table.targetOf(index));
      rows.row()
          .text("keyspace_name", table.keyspace())
          .text("table_name", table.name())
          .text("index_name", index.name())
          .text("kind", index.kind() == IndexSchema.Kind.LEGACY ? "COMPOSITES" : "CUSTOM")
          .textMap("options", options)
          .end();
    }
  }

  private static void columnMasks(TableSchema table, VirtualRows rows) {
    for (ColumnSchema column : table.columns()) {
      ColumnMask mask = column.mask();
      if (mask != null) {
        mask(table, column, mask.arguments(), rows);
      }
    }
  }

  private static void mask(
      TableSchema table,
      ColumnSchema column,
      List<ColumnMask.Argument> arguments,
      VirtualRows rows) {
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .text("column_name", column.name())
        .set(
            "function_argument_nulls",
            () ->
                WireValues.ofElements(
                    arguments.stream()
                        .map(each -> WireValues.ofBoolean(each.value() == null))
                        .toList()))
        .set(
            "function_argument_types",
            () ->
                WireValues.ofElements(
                    texts(arguments.stream().map(each -> each.type().toCql()).toList())))
        .set(
            "function_argument_values",
            () -> WireValues.ofElements(texts(arguments.stream().map(SchemaTables::text).toList())))
        .text("function_keyspace", "system")
        .text("function_name", Objects.requireNonNull(column.mask()).function())
        .end();
  }

  private static String text(ColumnMask.Argument argument) {
    byte[] value = argument.bytes();
    return value == null ? "" : ValueText.of(argument.type(), value);
  }

  private static void type(UserType type, VirtualRows rows) {
    rows.row()
        .text("keyspace_name", type.keyspace())
        .text("type_name", type.name())
        .set("field_names", () -> WireValues.ofElements(texts(type.fieldNames())))
        .set(
            "field_types",
            () ->
                WireValues.ofElements(
                    texts(type.fieldTypes().stream().map(CqlType::toCql).toList())))
        .end();
  }

  private static List<byte[]> texts(List<String> texts) {
    return texts.stream().map(WireValues::ofText).toList();
  }

  private static void droppedColumns(TableSchema table, VirtualRows rows) {
    for (DroppedColumn dropped : table.droppedColumns()) {
      rows.row()
          .text("keyspace_name", table.keyspace())
          .text("table_name", table.name())
          .text("column_name", dropped.name())
          .bigint("dropped_time", dropped.droppedAtMicros() / 1000)
          .text("kind", dropped.kind().cqlName())
          .set("type", () -> WireValues.ofText(dropped.type().toCql()))
          .end();
    }
  }
}
