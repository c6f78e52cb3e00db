package io.helenus.server.system;

import io.helenus.server.schema.PartitionCondition;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.PartitionNotes.Partition;

/**
 * {@code large_partitions}, {@code tombstone_heavy_partitions} and {@code partition_sizes} of
 * {@code system_views}: what flushes and compactions noted of the partitions of the tables that are
 * stored on this node. One read, one thread.
 */
final class PartitionTables {
  private final NodeFacts facts;
  private final VirtualRows rows;

  PartitionTables(NodeFacts facts, VirtualRows rows) {
    this.facts = facts;
    this.rows = rows;
  }

  void produce(SchemaWalk tables) {
    switch (rows.table().name()) {
      case "large_partitions" -> tables.forEachTable(rows, this::large);
      case "tombstone_heavy_partitions" -> tables.forEachTable(rows, this::tombstoneHeavy);
      default -> tables.forEachTable(rows, this::sizes);
    }
  }

  private VirtualRows rowOf(TableSchema table) {
    return rows.row().text("keyspace_name", table.keyspace()).text("table_name", table.name());
  }

  private void large(TableSchema table) {
    for (Partition each : facts.partitionNotes(table.storageId()).largest()) {
      rowOf(table)
          .bigint("size_bytes", each.bytes())
          .text("partition_key", PartitionCondition.ofPrefix(table, each.prefix()))
          .bigint("rows", each.rows())
          .number("sstables", each.files())
          .bigint("tombstones", each.tombstones())
          .end();
    }
  }

  private void tombstoneHeavy(TableSchema table) {
    for (Partition each : facts.partitionNotes(table.storageId()).tombstoneHeavy()) {
      rowOf(table)
          .bigint("tombstones", each.tombstones())
          .text("partition_key", PartitionCondition.ofPrefix(table, each.prefix()))
          .bigint("rows", each.rows())
          .bigint("size_bytes", each.bytes())
          .number("sstables", each.files())
          .end();
    }
  }

  private void sizes(TableSchema table) {
    long[] counts = facts.partitionNotes(table.storageId()).countsBySize();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        rowOf(table)
            .bigint("up_to_bytes", PartitionNotes.largestOfClass(i))
            .bigint("partitions", counts[i])
            .end();
      }
    }
  }
}
