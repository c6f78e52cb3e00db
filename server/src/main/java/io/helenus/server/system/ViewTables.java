package io.helenus.server.system;

import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.NodeFacts.MeasuredKind;
import io.helenus.server.types.WireValues;
import io.helenus.storage.engine.TableStatistics;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system_views}: the node as it is now. One read. */
final class ViewTables {
  private static final long MEBIBYTE = 1 << 20;

  private final ClusterState state;
  private final ClusterNode node;
  private final NodeFacts facts;

  ViewTables(ClusterState state, ClusterNode node, NodeFacts facts) {
    this.state = state;
    this.node = node;
    this.facts = facts;
  }

  void produce(String table, VirtualRows rows) {
    switch (table) {
      case "caches" -> caches(rows);
      case "clients" -> clients(rows);
      case "coordinator_read_latency" -> latencies(MeasuredKind.COORDINATOR_READ_LATENCY, rows);
      case "coordinator_scan_latency" -> latencies(MeasuredKind.COORDINATOR_SCAN_LATENCY, rows);
      case "coordinator_write_latency" -> latencies(MeasuredKind.COORDINATOR_WRITE_LATENCY, rows);
      case "local_read_latency" -> latencies(MeasuredKind.LOCAL_READ_LATENCY, rows);
      case "local_scan_latency" -> latencies(MeasuredKind.LOCAL_SCAN_LATENCY, rows);
      case "local_write_latency" -> latencies(MeasuredKind.LOCAL_WRITE_LATENCY, rows);
      case "rows_per_read" -> counts(MeasuredKind.ROWS_PER_READ, rows);
      case "tombstones_per_read" -> counts(MeasuredKind.TOMBSTONES_PER_READ, rows);
      case "cql_metrics" -> statementMetrics(rows);
      case "disk_usage" -> diskUsage(rows);
      case "gossip_info" -> gossipInfo(rows);
      case "queries" -> queries(rows);
      case "settings" -> settings(rows);
      case "system_properties" -> texts(facts.properties(), rows);
      case "sstable_tasks" -> sstableTasks(rows);
      case "thread_pools" -> threadPools(rows);
      default -> {
        // Nothing to tell of: repairs, streams, hints, other nodes, caches of permissions.
      }
    }
  }

  private void caches(VirtualRows rows) {
    for (NodeFacts.Cache cache : facts.caches()) {
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

  private void latencies(MeasuredKind kind, VirtualRows rows) {
    for (NodeFacts.Measurement measured : facts.measurements(kind)) {
      TableSchema table = state.schema().table(measured.storageId());
      if (table != null) {
        rows.row()
            .text("keyspace_name", table.keyspace())
            .text("table_name", table.name())
            .bigint("count", measured.count())
            .real("max_ms", measured.max())
            .real("p50th_ms", measured.p50())
            .real("p99th_ms", measured.p99())
            .real("per_second", measured.perSecond())
            .end();
      }
    }
  }

  private void counts(MeasuredKind kind, VirtualRows rows) {
    for (NodeFacts.Measurement measured : facts.measurements(kind)) {
      TableSchema table = state.schema().table(measured.storageId());
      if (table != null) {
        rows.row()
            .text("keyspace_name", table.keyspace())
            .text("table_name", table.name())
            .bigint("count", measured.count())
            .real("max", measured.max())
            .real("p50th", measured.p50())
            .real("p99th", measured.p99())
            .end();
      }
    }
  }

  private void statementMetrics(VirtualRows rows) {
    for (Map.Entry<String, Double> metric : facts.statementMetrics().entrySet()) {
      rows.row().text("name", metric.getKey()).real("value", metric.getValue()).end();
    }
  }

  private void diskUsage(VirtualRows rows) {
    for (TableSchema table : state.schema().storedTables()) {
      TableStatistics statistics = facts.statistics(table.storageId());
      if (statistics != null) {
        rows.row()
            .text("keyspace_name", table.keyspace())
            .text("table_name", table.name())
            .bigint("mebibytes", (statistics.fileBytes() + MEBIBYTE - 1) / MEBIBYTE)
            .end();
      }
    }
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

  private void queries(VirtualRows rows) {
    for (NodeFacts.RunningQuery query : facts.queries()) {
      rows.row()
          .text("thread_id", query.threadId())
          .bigint("queued_micros", query.queuedMicros())
          .bigint("running_micros", query.runningMicros())
          .text("task", query.task())
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
    for (NodeFacts.SstableTask task : facts.sstableTasks()) {
      TableSchema table = state.schema().table(task.storageId());
      if (table != null) {
        rows.row()
            .text("keyspace_name", table.keyspace())
            .text("table_name", table.name())
            .uuid("task_id", task.taskId())
            .real(
                "completion_ratio", task.total() == 0 ? 0 : (double) task.progress() / task.total())
            .text("kind", task.kind())
            .bigint("progress", task.progress())
            .number("sstables", task.sstables())
            .bigint("total", task.total())
            .text("unit", task.unit())
            .end();
      }
    }
  }

  private void threadPools(VirtualRows rows) {
    for (NodeFacts.ThreadPool pool : facts.threadPools()) {
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
