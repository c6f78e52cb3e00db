package io.helenus.server.system;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metrics.BatchKind;
import io.helenus.server.metrics.Measured;
import io.helenus.server.metrics.MeasuredKind;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.WireValues;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system_views}: the node as it is now. One read. */
final class ViewTables {
  private static final long MEBIBYTE = 1 << 20;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long MICROS_PER_MILLI = 1000;
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;
  private static final double P999 = 0.999;

  private final ClusterState state;
  private final ClusterNode node;
  private final NodeFacts facts;

  ViewTables(ClusterState state, ClusterNode node, NodeFacts facts) {
    this.state = state;
    this.node = node;
    this.facts = facts;
  }

  /** Whether all shards have to be asked before the table's rows can be made. */
  static boolean isGathered(String table) {
    return switch (table) {
      case "batch_metrics", "caches", "cql_metrics", "queries", "thread_pools" -> true;
      default -> measuredKind(table) != null;
    };
  }

  /** What a table tells of each table; null if it tells something else. */
  static @Nullable MeasuredKind measuredKind(String table) {
    return switch (table) {
      case "coordinator_read_latency" -> MeasuredKind.COORDINATOR_READ_LATENCY;
      case "coordinator_scan_latency" -> MeasuredKind.COORDINATOR_SCAN_LATENCY;
      case "coordinator_write_latency" -> MeasuredKind.COORDINATOR_WRITE_LATENCY;
      case "local_read_latency" -> MeasuredKind.LOCAL_READ_LATENCY;
      case "local_scan_latency" -> MeasuredKind.LOCAL_SCAN_LATENCY;
      case "local_write_latency" -> MeasuredKind.LOCAL_WRITE_LATENCY;
      case "rows_per_read" -> MeasuredKind.ROWS_PER_READ;
      case "tombstones_per_read" -> MeasuredKind.TOMBSTONES_PER_READ;
      default -> null;
    };
  }

  void produceGathered(String table, GatheredFacts gathered, VirtualRows rows) {
    switch (table) {
      case "batch_metrics" -> batches(gathered, rows);
      case "caches" -> caches(gathered, rows);
      case "cql_metrics" -> statements(gathered, rows);
      case "queries" -> queries(gathered, rows);
      case "thread_pools" -> threadPools(gathered, rows);
      default -> measurements(Objects.requireNonNull(measuredKind(table)), gathered, rows);
    }
  }

  void produce(String table, VirtualRows rows) {
    switch (table) {
      case "cidr_filtering_metrics_counts" ->
          rows.row().text("name", "CIDR groups cache reload count").bigint("value", 0).end();
      case "cidr_filtering_metrics_latencies" -> cidrLatencies(rows);
      case "clients" -> clients(rows);
      case "disk_usage" -> mebibytes(TableStatistics::fileBytes, rows);
      case "gossip_info" -> gossipInfo(rows);
      case "max_partition_size" -> mebibytes(TableStatistics::largestPartitionBytes, rows);
      case "max_sstable_duration" -> longestFiles(rows);
      case "max_sstable_size" -> mebibytes(TableStatistics::largestFileBytes, rows);
      case "settings" -> settings(rows);
      case "system_properties" -> texts(facts.properties(), rows);
      case "sstable_tasks" -> sstableTasks(rows);
      default -> {
        // Nothing to tell of: repairs, streams, hints, snapshots, indexes, other nodes, caches of
        // permissions.
      }
    }
  }

  private static void batches(GatheredFacts gathered, VirtualRows rows) {
    for (BatchKind kind : BatchKind.values()) {
      Measured partitions = gathered.batches().get(kind);
      rows.row()
          .text("name", "partitions_per_" + kind.name().toLowerCase(Locale.ROOT) + "_batch")
          .bigint("max", partitions == null ? 0 : partitions.max())
          .real("p50th", quantile(partitions, MEDIAN))
          .real("p99th", quantile(partitions, P99))
          .real("p999th", quantile(partitions, P999))
          .end();
    }
  }

  private static double quantile(@Nullable Measured measured, double share) {
    return measured == null ? 0 : measured.quantile(share);
  }

  /** No client is admitted or refused by its address: nothing was counted. */
  private static void cidrLatencies(VirtualRows rows) {
    for (String name :
        List.of(
            "CIDR checks latency (ns)",
            "CIDR groups cache reload latency (ns)",
            "Lookup IP in CIDR groups cache latency (ns)")) {
      rows.row()
          .text("name", name)
          .real("max", 0)
          .real("p50th", 0)
          .real("p95th", 0)
          .real("p99th", 0)
          .real("p999th", 0)
          .end();
    }
  }

  private static void caches(GatheredFacts gathered, VirtualRows rows) {
    for (GatheredFacts.Cache cache : gathered.caches()) {
      rows.row()
          .text("name", cache.name())
          .bigint("capacity_bytes", cache.capacityBytes())
          .number("entry_count", cache.entryCount())
          .bigint("hit_count", cache.hitCount())
          .real("hit_ratio", (double) cache.hitCount() / cache.requestCount())
          .bigint("recent_hit_rate_per_second", cache.recentHitsPerSecond())
          .bigint("recent_request_rate_per_second", cache.recentRequestsPerSecond())
          .bigint("request_count", cache.requestCount())
          .bigint("size_bytes", cache.sizeBytes())
          .end();
    }
  }

  private void clients(VirtualRows rows) {
    for (NodeFacts.Client client : facts.clients()) {
      rows.row()
          .inet("address", client.address())
          .number("port", client.port())
          .set("client_options", WireValues.ofTextMap(client.options()))
          .text("connection_stage", client.stage())
          .text("driver_name", client.driverName())
          .text("driver_version", client.driverVersion())
          .text("hostname", client.address().getHostAddress())
          .text("keyspace_name", client.keyspace())
          .number("protocol_version", client.protocolVersion())
          .bigint("request_count", client.requestCount())
          .bool("ssl_enabled", false)
          .text("username", client.user() == null ? "anonymous" : client.user())
          .end();
    }
  }

  /** Every table that is not itself a view of the node, whether it was used or not. */
  private List<TableSchema> measuredTables() {
    List<TableSchema> tables = new ArrayList<>();
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      if (!keyspace.isVirtual()) {
        tables.addAll(keyspace.tables());
      }
    }
    return tables;
  }

  /** Where a table's rows are: the batch log's are stored, though nobody reads them as a table. */
  private static int measuredId(TableSchema table) {
    boolean batchLog = table.keyspace().equals("system") && table.name().equals("batches");
    return batchLog ? BatchLog.TABLE_ID : table.storageId();
  }

  private static VirtualRows rowOf(TableSchema table, VirtualRows rows) {
    return rows.row().text("keyspace_name", table.keyspace()).text("table_name", table.name());
  }

  private void measurements(MeasuredKind kind, GatheredFacts gathered, VirtualRows rows) {
    String unit = kind.isLatency() ? "_ms" : "";
    double divisor = kind.isLatency() ? NANOS_PER_MILLI : 1;
    for (TableSchema table : measuredTables()) {
      Measured measured = gathered.tables().get(measuredId(table));
      VirtualRows row =
          rowOf(table, rows)
              .bigint("count", measured == null ? 0 : measured.count())
              .real("max" + unit, measured == null ? 0 : measured.max() / divisor)
              .real("p50th" + unit, quantile(measured, MEDIAN) / divisor)
              .real("p99th" + unit, quantile(measured, P99) / divisor);
      if (kind.isLatency()) {
        row.real("per_second", measured == null ? 0 : rounded(measured.perSecond()));
      }
      row.end();
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static void statements(GatheredFacts gathered, VirtualRows rows) {
    for (Map.Entry<String, Double> counter : gathered.statements().entrySet()) {
      rows.row().text("name", counter.getKey()).real("value", counter.getValue()).end();
    }
  }

  private void mebibytes(ToLongFunction<TableStatistics> bytes, VirtualRows rows) {
    for (TableSchema table : measuredTables()) {
      long size = bytes.applyAsLong(statistics(table));
      rowOf(table, rows).bigint("mebibytes", (size + MEBIBYTE - 1) / MEBIBYTE).end();
    }
  }

  private void longestFiles(VirtualRows rows) {
    for (TableSchema table : measuredTables()) {
      rowOf(table, rows)
          .bigint("max_sstable_duration", statistics(table).longestFileMicros() / MICROS_PER_MILLI)
          .end();
    }
  }

  private TableStatistics statistics(TableSchema table) {
    TableStatistics known = facts.statistics(measuredId(table));
    return known == null ? TableStatistics.NONE : known;
  }

  private void gossipInfo(VirtualRows rows) {
    NodeFacts.Endpoint broadcast = facts.broadcast();
    NodeFacts.Endpoint clients = facts.nativeTransport();
    String clientAddress = clients.address().getHostAddress();
    rows.row()
        .inet("address", broadcast.address())
        .number("port", broadcast.port())
        .text("dc", node.dataCenter())
        .number("generation", facts.startedSeconds())
        .text("host_id", node.hostId().toString())
        .text("hostname", broadcast.address().getHostAddress())
        .text("load", Double.toString(loadBytes()))
        .text("native_address_and_port", clientAddress + ":" + clients.port())
        .text("rack", node.rack())
        .text("release_version", NodeFacts.RELEASE_VERSION)
        .text("rpc_address", clientAddress)
        .text("rpc_ready", "true")
        .text("schema", state.schema().version().toString())
        .text("status", "NORMAL," + node.tokens()[0])
        .text("status_with_port", "NORMAL," + node.tokens()[0])
        .end();
  }

  /** What the node holds in files. */
  private double loadBytes() {
    double bytes = 0;
    for (TableSchema table : state.schema().storedTables()) {
      bytes += statistics(table).fileBytes();
    }
    return bytes;
  }

  private void queries(GatheredFacts gathered, VirtualRows rows) {
    for (GatheredFacts.RunningQuery query : gathered.queries()) {
      TableSchema table = state.schema().table(query.storageId());
      rows.row()
          .text("thread_id", query.threadId())
          .bigint("queued_micros", 0)
          .bigint("running_micros", query.runningMicros())
          .text(
              "task",
              query.what()
                  + (table == null ? "" : " " + table)
                  + " at consistency "
                  + query.level())
          .end();
    }
  }

  private void settings(VirtualRows rows) {
    SortedMap<String, @Nullable String> settings = new TreeMap<>(facts.settings());
    settings.putIfAbsent("partitioner", Partitioner.MURMUR3_CLASS);
    texts(settings, rows);
  }

  private static void texts(Map<String, ? extends @Nullable String> texts, VirtualRows rows) {
    for (Map.Entry<String, ? extends @Nullable String> text : texts.entrySet()) {
      rows.row().text("name", text.getKey()).text("value", text.getValue()).end();
    }
  }

  private void sstableTasks(VirtualRows rows) {
    for (StorageActivity.Task task : facts.storageActivity().tasks()) {
      TableSchema table = state.schema().table(task.tableId());
      if (table != null) {
        double share =
            task.totalBytes() == 0 ? 0 : (double) task.progressBytes() / task.totalBytes();
        rowOf(table, rows)
            .uuid("task_id", TaskIds.of(task.startedMicros(), task.number()))
            .real("completion_ratio", share)
            .text("kind", task.kind().name().toLowerCase(Locale.ROOT))
            .bigint("progress", task.progressBytes())
            .number("sstables", task.files())
            .bigint("total", task.totalBytes())
            .text("unit", "bytes")
            .end();
      }
    }
  }

  private static void threadPools(GatheredFacts gathered, VirtualRows rows) {
    for (GatheredFacts.ThreadPool pool : gathered.threadPools()) {
      rows.row()
          .text("name", pool.name())
          .number("active_tasks", pool.activeTasks())
          .number("active_tasks_limit", pool.activeTasksLimit())
          .bigint("blocked_tasks", pool.blockedTasks())
          .bigint("blocked_tasks_all_time", pool.blockedTasksAllTime())
          .bigint("completed_tasks", pool.completedTasks())
          .number("pending_tasks", pool.pendingTasks())
          .end();
    }
  }
}
