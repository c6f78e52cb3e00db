package io.helenus.server.system;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.WireValues;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The tables of {@code system_schema}: what is stored, described. One read. */
final class SchemaTables {
  private final Schema schema;

  SchemaTables(Schema schema) {
    this.schema = schema;
  }

  void produce(String name, VirtualRows rows) {
    for (KeyspaceSchema keyspace : schema.keyspaces()) {
      if (!keyspace.isVirtual() && rows.wantsPartition(keyspace.name())) {
        switch (name) {
          case "keyspaces" -> keyspace(keyspace, rows);
          case "tables" -> tables(keyspace, rows);
          case "columns" -> columns(keyspace, rows);
          case "dropped_columns" -> droppedColumns(keyspace, rows);
          default -> {
            // Types, functions, aggregates, indexes, views, triggers, masks: there are none.
          }
        }
      }
    }
  }

  private static void keyspace(KeyspaceSchema keyspace, VirtualRows rows) {
    rows.row()
        .text("keyspace_name", keyspace.name())
        .bool("durable_writes", keyspace.durableWrites())
        .set("replication", WireValues.ofTextMap(keyspace.replication().toMap()))
        .end();
  }

  private static void tables(KeyspaceSchema keyspace, VirtualRows rows) {
    for (TableSchema table : keyspace.tables()) {
      TableOptions options = table.options();
      rows.row()
          .text("keyspace_name", table.keyspace())
          .text("table_name", table.name())
          .set("flags", WireValues.ofTextSet(table.flags()))
          .uuid("id", table.id());
      options(options, rows);
      if (!options.allowAutoSnapshot()) {
        rows.bool("allow_auto_snapshot", false);
      }
      if (!options.incrementalBackups()) {
        rows.bool("incremental_backups", false);
      }
      rows.end();
    }
  }

  /**
   * Without what stays null at its default: allow_auto_snapshot, incremental_backups, memtable,
   * cdc.
   */
  private static void options(TableOptions options, VirtualRows rows) {
    rows.text("additional_write_policy", options.additionalWritePolicy())
        .real("bloom_filter_fp_chance", options.bloomFilterFalsePositiveChance())
        .set("caching", WireValues.ofTextMap(options.caching()))
        .text("comment", options.comment())
        .set("compaction", WireValues.ofTextMap(options.compaction()))
        .set("compression", WireValues.ofTextMap(options.compression()))
        .real("crc_check_chance", options.crcCheckChance())
        .real("dclocal_read_repair_chance", 0)
        .number("default_time_to_live", options.defaultTimeToLiveSeconds())
        .set("extensions", extensions(options.extensions()))
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

  private static void columns(KeyspaceSchema keyspace, VirtualRows rows) {
    for (TableSchema table : keyspace.tables()) {
      for (ColumnSchema column : table.columns()) {
        column(table, column, rows);
      }
    }
  }

  /** A column, here and in system_virtual_schema. */
  static void column(TableSchema table, ColumnSchema column, VirtualRows rows) {
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .text("column_name", column.name())
        .text("clustering_order", column.clusteringOrder())
        .set("column_name_bytes", WireValues.ofText(column.name()))
        .text("kind", column.kind().cqlName())
        .number("position", column.position())
        .text("type", column.type().toCql())
        .end();
  }

  private static void droppedColumns(KeyspaceSchema keyspace, VirtualRows rows) {
    for (TableSchema table : keyspace.tables()) {
      for (DroppedColumn dropped : table.droppedColumns()) {
        rows.row()
            .text("keyspace_name", table.keyspace())
            .text("table_name", table.name())
            .text("column_name", dropped.name())
            .bigint("dropped_time", Math.floorDiv(dropped.droppedAtMicros(), 1000L))
            .text("kind", dropped.kind().cqlName())
            .text("type", dropped.type().toCql())
            .end();
      }
    }
  }
}
