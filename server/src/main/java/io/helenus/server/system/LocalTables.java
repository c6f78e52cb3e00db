package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageActivity.FinishedCompaction;
import io.helenus.storage.engine.TableStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system}. One read. */
final class LocalTables {
  private static final Map<String, String> COMPACTION_PROPERTIES =
      Map.of("compaction_type", "Compaction");

  private final ClusterState state;
  private final ClusterNode node;
  private final NodeFacts facts;

  LocalTables(ClusterState state, ClusterNode node, NodeFacts facts) {
    this.state = state;
    this.node = node;
    this.facts = facts;
  }

  void produce(String table, VirtualRows rows) {
    switch (table) {
      case "local" -> local(rows);
      case "prepared_statements" -> preparedStatements(rows);
      case "compaction_history" -> compactions(rows);
      case "size_estimates" -> sizeEstimates(rows, null);
      case "table_estimates" -> {
        sizeEstimates(rows, "local_primary");
        sizeEstimates(rows, "primary");
      }
      default -> {
        // Nothing to tell of on a single node: peers, batches, Paxos, streams, views, repairs.
      }
    }
  }

  private void local(VirtualRows rows) {
    List<String> tokens = new ArrayList<>();
    for (long token : node.tokens()) {
      tokens.add(Long.toString(token));
    }
    NodeFacts.Endpoint nativeTransport = facts.nativeTransport();
    rows.row()
        .text("key", "local")
        .text("bootstrapped", "COMPLETED")
        .inet("broadcast_address", facts.broadcast().address())
        .number("broadcast_port", facts.broadcast().port())
        .text("cluster_name", state.clusterName())
        .text("cql_version", NodeFacts.CQL_VERSION)
        .text("data_center", node.dataCenter())
        .number("gossip_generation", facts.startedSeconds())
        .text("helenus_version", facts.helenusVersion())
        .uuid("host_id", node.hostId())
        .inet("listen_address", facts.listen().address())
        .number("listen_port", facts.listen().port())
        .text("native_protocol_version", NodeFacts.NATIVE_PROTOCOL_VERSION)
        .text("partitioner", Partitioner.MURMUR3_CLASS)
        .text("rack", node.rack())
        .text("release_version", NodeFacts.RELEASE_VERSION)
        .inet("rpc_address", nativeTransport.address())
        .number("rpc_port", nativeTransport.port())
        .uuid("schema_version", state.schema().version())
        .set("tokens", WireValues.ofTextSet(tokens))
        .set("truncated_at", truncations())
        .end();
  }

  /**
   * When tables were truncated last: as Cassandra, a log position and milliseconds. The position is
   * its "none", as one number tells nothing of several logs.
   */
  private byte @Nullable [] truncations() {
    List<byte[]> entries = new ArrayList<>();
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      if (SchemaNames.isLocalSystem(keyspace.name())) {
        continue;
      }
      for (TableSchema table : keyspace.tables()) {
        TableStatistics statistics = facts.statistics(table.storageId());
        if (statistics != null && statistics.truncatedAtMicros() > 0) {
          long millis = statistics.truncatedAtMicros() / 1000;
          entries.add(WireValues.ofUuid(table.id()));
          entries.add(new ByteWriter(24).putLong(-1).putInt(0).putLong(millis).toArray());
        }
      }
    }
    return entries.isEmpty() ? null : WireValues.ofEntries(entries);
  }

  private void preparedStatements(VirtualRows rows) {
    for (NodeFacts.PreparedStatement statement : facts.preparedStatements()) {
      rows.row()
          .set("prepared_id", statement.id())
          .text("logged_keyspace", statement.keyspace())
          .text("query_string", statement.query())
          .end();
    }
  }

  private void compactions(VirtualRows rows) {
    for (FinishedCompaction compaction : facts.storageActivity().finished()) {
      TableSchema table = state.schema().table(compaction.tableId());
      if (table != null) {
        rows.row()
            .uuid("id", TaskIds.of(compaction.startedMicros(), compaction.number()))
            .bigint("bytes_in", compaction.bytesIn())
            .bigint("bytes_out", compaction.bytesOut())
            .text("columnfamily_name", table.name())
            .bigint("compacted_at", compaction.endedMicros() / 1000)
            .set("compaction_properties", WireValues.ofTextMap(COMPACTION_PROPERTIES))
            .text("keyspace_name", table.keyspace())
            .set("rows_merged", merged(compaction.mergedPartitions()))
            .end();
      }
    }
  }

  /** How many partitions came from one file, from two, and so on; without zeros. */
  private static byte[] merged(List<Long> partitions) {
    List<byte[]> entries = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      if (partitions.get(i) > 0) {
        entries.add(WireValues.ofInt(i + 1));
        entries.add(WireValues.ofLong(partitions.get(i)));
      }
    }
    return WireValues.ofEntries(entries);
  }

  /**
   * What Spark and Presto plan their splits with: each range of this node, the table's partitions
   * spread over them by their length.
   */
  private void sizeEstimates(VirtualRows rows, @Nullable String rangeType) {
    long[] tokens = node.tokens();
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      if (SchemaNames.isLocalSystem(keyspace.name()) || !rows.wantsPartition(keyspace.name())) {
        continue;
      }
      for (TableSchema table : keyspace.tables()) {
        TableStatistics statistics = facts.statistics(table.storageId());
        long partitions = statistics == null ? 0 : statistics.estimatedPartitions();
        long bytes = statistics == null ? 0 : statistics.fileBytes() + statistics.memtableBytes();
        long mean = partitions == 0 ? 0 : bytes / partitions;
        for (int i = 0; i < tokens.length; i++) {
          long start = tokens[i == 0 ? tokens.length - 1 : i - 1];
          if (i == 0 && tokens.length > 1) {
            estimate(rows, table, rangeType, Long.MIN_VALUE, tokens[0], partitions, mean);
            estimate(rows, table, rangeType, start, Long.MIN_VALUE, partitions, mean);
          } else {
            estimate(rows, table, rangeType, start, tokens[i], partitions, mean);
          }
        }
      }
    }
  }

  private static void estimate(
      VirtualRows rows,
      TableSchema table,
      @Nullable String rangeType,
      long start,
      long end,
      long partitions,
      long meanBytes) {
    double share = start == end ? 1 : Math.scalb(unsigned(end - start), -64);
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .text("range_type", rangeType)
        .text("range_start", Long.toString(start))
        .text("range_end", Long.toString(end))
        .bigint("mean_partition_size", meanBytes)
        .bigint("partitions_count", Math.round(partitions * share))
        .end();
  }

  private static double unsigned(long value) {
    return value >= 0 ? value : value + 0x1p64;
  }
}
