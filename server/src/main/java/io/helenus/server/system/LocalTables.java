package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.WireValues;
import io.helenus.server.viewbuild.ViewBuilds;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageActivity.FinishedCompaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system}. One read, one thread. */
final class LocalTables {
  private static final Map<String, String> COMPACTION_PROPERTIES =
      Map.of("compaction_type", "Compaction");

  private final ClusterView cluster;
  private final ClusterState state;
  private final NodeFacts facts;
  private final VirtualRows rows;

  LocalTables(ClusterView cluster, NodeFacts facts, VirtualRows rows) {
    this.cluster = cluster;
    this.state = cluster.state();
    this.facts = facts;
    this.rows = rows;
  }

  void produce(KeyspaceOrder.Cache orders) {
    switch (rows.table().name()) {
      case "local" -> local();
      case "IndexInfo" -> stored(orders).forEachKeyspace(rows, this::builtIndexes);
      case "built_views" -> stored(orders).forEachKeyspace(rows, this::builtViews);
      case "view_builds_in_progress" -> stored(orders).forEachKeyspace(rows, this::viewBuilds);
      case "prepared_statements" -> preparedStatements();
      case "compaction_history" -> compactions();
      case "peers", "peers_v2" -> new MemberTables(cluster, rows).peers();
      case "size_estimates", "table_estimates" -> {
        SizeEstimates estimates = new SizeEstimates(cluster, facts, rows);
        stored(orders).forEachTable(rows, estimates::of);
      }
      default -> {
        // Always empty: batches, Paxos rounds, streams and repairs.
      }
    }
  }

  private SchemaWalk stored(KeyspaceOrder.Cache orders) {
    return new SchemaWalk(
        state.schema(), rows, orders, keyspace -> !SchemaNames.isLocalSystem(keyspace.name()));
  }

  /** Cassandra's column for the keyspace is called table_name. */
  private void builtIndexes(KeyspaceSchema keyspace) {
    for (TableSchema table : keyspace.tables()) {
      for (IndexSchema index : table.indexes()) {
        if (!table.isStored(index) || facts.isIndexBuilt(table.storageId(), index.id())) {
          rows.row().text("table_name", keyspace.name()).text("index_name", index.name()).end();
        }
      }
    }
  }

  private void builtViews(KeyspaceSchema keyspace) {
    for (ViewBuilds.Progress view : facts.viewBuilds()) {
      if (view.done() && view.keyspace().equals(keyspace.name())) {
        rows.row()
            .text("keyspace_name", view.keyspace())
            .text("view_name", view.view())
            .bool("status_replicated", true)
            .end();
      }
    }
  }

  private void viewBuilds(KeyspaceSchema keyspace) {
    for (ViewBuilds.Progress view : facts.viewBuilds()) {
      if (!view.done() && view.keyspace().equals(keyspace.name())) {
        rows.row()
            .text("keyspace_name", view.keyspace())
            .text("view_name", view.view())
            .text("start_token", Long.toString(Long.MIN_VALUE))
            .text("end_token", Long.toString(Long.MAX_VALUE))
            .bigint("keys_built", view.partitions())
            .text("last_token", Long.toString(view.token()))
            .end();
      }
    }
  }

  private void local() {
    ClusterNode node = cluster.self().node();
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
        .set("tokens", () -> MemberTables.tokens(node))
        .set("truncated_at", this::truncations)
        .end();
  }

  /**
   * The time of each table's last truncation, encoded as in Cassandra: a commit log position and
   * milliseconds since 1970. The position is Cassandra's "none", because one position cannot
   * describe several logs.
   */
  private byte @Nullable [] truncations() {
    List<byte[]> entries = new ArrayList<>();
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      if (SchemaNames.isLocalSystem(keyspace.name())) {
        continue;
      }
      for (TableSchema table : keyspace.tables()) {
        long micros = facts.truncatedAtMicros(table.storageId());
        if (micros > 0) {
          long millis = micros / 1000;
          entries.add(WireValues.ofUuid(table.id()));
          entries.add(new ByteWriter(24).putLong(-1).putInt(0).putLong(millis).toArray());
        }
      }
    }
    return entries.isEmpty() ? null : WireValues.ofEntries(entries);
  }

  private void preparedStatements() {
    for (NodeFacts.PreparedStatement statement : facts.preparedStatements()) {
      rows.row()
          .bytes("prepared_id", statement.id())
          .text("logged_keyspace", statement.keyspace())
          .text("query_string", statement.query())
          .end();
    }
  }

  private void compactions() {
    for (FinishedCompaction compaction : facts.storageActivity().finished()) {
      TableSchema table = state.schema().table(compaction.tableId());
      if (table != null) {
        rows.row()
            .uuid("id", TaskIds.of(compaction.startedMicros(), compaction.number()))
            .bigint("bytes_in", compaction.bytesIn())
            .bigint("bytes_out", compaction.bytesOut())
            .text("columnfamily_name", table.name())
            .bigint("compacted_at", compaction.endedMicros() / 1000)
            .textMap("compaction_properties", COMPACTION_PROPERTIES)
            .text("keyspace_name", table.keyspace())
            .set("rows_merged", () -> merged(compaction.mergedPartitions()))
            .end();
      }
    }
  }

  /** The number of partitions merged from one file, from two, and so on; zeros are omitted. */
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
}
