package io.helenus.server.system;

import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metrics.BatchKind;
import io.helenus.server.metrics.HotPartition;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.metrics.MetricSummary;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.PartitionCondition;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.WireValues;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The tables of {@code system_views}: the current state of the node. One read, one thread. */
final class ViewTables {
  private static final long MEBIBYTE = 1 << 20;
  private static final long MICROS_PER_MILLI = 1000;
  private static final String INDEX_FORMAT = "v1";
  private static final String INDEX_SEGMENTS = "sai_sstable_index_segments";
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;
  private static final double P999 = 0.999;

  private final ClusterView cluster;
  private final ClusterState state;
  private final NodeFacts facts;
  private final VirtualRows rows;

  ViewTables(ClusterView cluster, NodeFacts facts, VirtualRows rows) {
    this.cluster = cluster;
    this.state = cluster.state();
    this.facts = facts;
    this.rows = rows;
  }

  /** Whether the table's rows need statistics from all shards. */
  static boolean isGathered(String table) {
    return switch (table) {
      case "batch_metrics", "caches", "cql_metrics", "hot_partitions", "queries", "thread_pools" ->
          true;
      default -> false;
    };
  }

  void produceGathered(NodeStatistics gathered) {
    switch (rows.table().name()) {
      case "batch_metrics" -> batches(gathered);
      case "caches" -> caches(gathered);
      case "cql_metrics" -> statements(gathered);
      case "hot_partitions" -> hotPartitions(gathered.hotPartitions());
      case "queries" -> queries(gathered);
      default -> threadPools(gathered);
    }
  }

  void produce(KeyspaceOrder.Cache orders) {
    switch (rows.table().name()) {
      case "cidr_filtering_metrics_counts" ->
          rows.row().text("name", "CIDR groups cache reload count").bigint("value", 0).end();
      case "cidr_filtering_metrics_latencies" -> cidrLatencies();
      case "clients" -> clients();
      case "disk_usage" -> mebibytes(TableStatistics::fileBytes, orders);
      case "gossip_info" -> new MemberTables(cluster, rows).gossipInfo();
      case "large_partitions", "partition_sizes", "tombstone_heavy_partitions" ->
          new PartitionTables(facts, rows).produce(measuredTables(orders));
      case "max_partition_size" -> mebibytes(TableStatistics::largestPartitionBytes, orders);
      case "max_sstable_duration" -> longestFiles(orders);
      case "max_sstable_size" -> mebibytes(TableStatistics::largestFileBytes, orders);
      case "memory" -> memory();
      case "settings" -> settings();
      case "system_properties" -> texts(facts.properties());
      case "sai_column_indexes" -> attachedIndexes(orders, this::attachedIndex);
      case INDEX_SEGMENTS, "sai_sstable_indexes" -> attachedIndexes(orders, this::indexFiles);
      case "sstable_tasks" -> sstableTasks();
      default -> {
        // Always empty: repairs, streams, hints, snapshots, links and permission caches.
      }
    }
  }

  private void batches(NodeStatistics gathered) {
    for (BatchKind kind : BatchKind.values()) {
      MetricSummary partitions = gathered.batches().get(kind);
      rows.row()
          .text("name", "partitions_per_" + kind.name().toLowerCase(Locale.ROOT) + "_batch")
          .bigint("max", partitions == null ? 0 : partitions.max())
          .real("p50th", quantile(partitions, MEDIAN))
          .real("p99th", quantile(partitions, P99))
          .real("p999th", quantile(partitions, P999))
          .end();
    }
  }

  static double quantile(@Nullable MetricSummary measured, double share) {
    return measured == null ? 0 : measured.quantile(share);
  }

  /** Always zero: there is no access control by client address. */
  private void cidrLatencies() {
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

  private void caches(NodeStatistics gathered) {
    for (NodeStatistics.Cache cache : gathered.caches()) {
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

  private void memory() {
    for (NodeFacts.MemoryUse use : facts.memory()) {
      rows.row()
          .text("name", use.name())
          .bigint("high_water_bytes", use.highWater())
          .bigint("kept_bytes", use.kept())
          .bigint("limit_bytes", use.limit())
          .bigint("used_bytes", use.used())
          .end();
    }
  }

  private void clients() {
    for (NodeFacts.Client client : facts.clients()) {
      rows.row()
          .inet("address", client.address())
          .number("port", client.port())
          .textMap("client_options", client.options())
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

  /** Every table outside the virtual keyspaces, whether it has been used or not. */
  private SchemaWalk measuredTables(KeyspaceOrder.Cache orders) {
    return new SchemaWalk(state.schema(), rows, orders, keyspace -> !keyspace.isVirtual());
  }

  private VirtualRows rowOf(TableSchema table) {
    return rows.row().text("keyspace_name", table.keyspace()).text("table_name", table.name());
  }

  private void statements(NodeStatistics gathered) {
    for (Map.Entry<String, Double> counter : gathered.statements().entrySet()) {
      rows.row().text("name", counter.getKey()).real("value", counter.getValue()).end();
    }
  }

  private void mebibytes(ToLongFunction<TableStatistics> bytes, KeyspaceOrder.Cache orders) {
    measuredTables(orders)
        .forEachTable(
            rows,
            table ->
                rowOf(table)
                    .set("mebibytes", () -> WireValues.ofLong(mebibytes(table, bytes)))
                    .end());
  }

  private long mebibytes(TableSchema table, ToLongFunction<TableStatistics> bytes) {
    return (bytes.applyAsLong(statistics(table)) + MEBIBYTE - 1) / MEBIBYTE;
  }

  private void longestFiles(KeyspaceOrder.Cache orders) {
    measuredTables(orders)
        .forEachTable(
            rows,
            table ->
                rowOf(table)
                    .set("max_sstable_duration", () -> WireValues.ofLong(longestMillis(table)))
                    .end());
  }

  private long longestMillis(TableSchema table) {
    return statistics(table).longestFileMicros() / MICROS_PER_MILLI;
  }

  private TableStatistics statistics(TableSchema table) {
    TableStatistics known = facts.statistics(TableMetricTables.measuredId(table));
    return known == null ? TableStatistics.NONE : known;
  }

  private void queries(NodeStatistics gathered) {
    for (NodeStatistics.RunningQuery query : gathered.queries()) {
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

  /** The hottest first; not those of tables dropped meanwhile. */
  private void hotPartitions(HotPartitionList hot) {
    int rank = 0;
    for (HotPartition each : hot.partitions()) {
      TableSchema table = state.schema().table(each.tableId());
      if (table != null && table.partitioner() == Partitioner.MURMUR3) {
        rows.row()
            .number("rank", ++rank)
            .text("keyspace_name", table.keyspace())
            .text("partition_key", PartitionCondition.ofPrefix(table, each.prefix()))
            .real("read_share", hot.readShare(each))
            .real("reads_per_second", each.readsPerSecond())
            .real("reads_per_second_1m", each.readsPerSecondOfMinute())
            .text("table_name", table.name())
            .real("write_share", hot.writeShare(each))
            .real("writes_per_second", each.writesPerSecond())
            .real("writes_per_second_1m", each.writesPerSecondOfMinute())
            .end();
      }
    }
  }

  private void settings() {
    SortedMap<String, @Nullable String> settings = new TreeMap<>(facts.settings());
    settings.putIfAbsent("partitioner", Partitioner.MURMUR3_CLASS);
    texts(settings);
  }

  private void texts(Map<String, ? extends @Nullable String> texts) {
    for (Map.Entry<String, ? extends @Nullable String> text : texts.entrySet()) {
      rows.row().text("name", text.getKey()).text("value", text.getValue()).end();
    }
  }

  /** Visits each storage-attached index. */
  private void attachedIndexes(
      KeyspaceOrder.Cache orders, BiConsumer<TableSchema, IndexSchema> visitor) {
    measuredTables(orders)
        .forEachKeyspace(
            rows,
            keyspace -> {
              for (TableSchema table : keyspace.tables()) {
                for (IndexSchema index : table.indexes()) {
                  if (index.kind() == IndexSchema.Kind.SAI) {
                    visitor.accept(table, index);
                  }
                }
              }
            });
  }

  private void attachedIndex(TableSchema table, IndexSchema index) {
    boolean built = !table.isStored(index) || facts.isIndexBuilt(table.storageId(), index.id());
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("index_name", index.name())
        .text("analyzer", index.analyzer())
        .text("column_name", table.columnOf(index).name())
        .bool("is_building", !built)
        .bool("is_queryable", built)
        .bool("is_string", table.hasTextTerms(index))
        .text("table_name", table.name())
        .end();
  }

  /** The files of an index: numbers of rows and parts of all indexes, which they lack, are null. */
  private void indexFiles(TableSchema table, IndexSchema index) {
    boolean segments = rows.table().name().equals(INDEX_SEGMENTS);
    for (IndexFile file : facts.indexFiles(table.storageId())) {
      if (file.indexId() == index.id()) {
        rows.row()
            .text("keyspace_name", table.keyspace())
            .text("index_name", index.name())
            .text("sstable_name", file.sstable());
        if (segments) {
          rows.bigint("segment_row_id_offset", 0);
        } else {
          rows.text("format_version", INDEX_FORMAT)
              .bigint("per_column_disk_size", file.sizeBytes());
        }
        rows.bigint("cell_count", file.entries())
            .text("column_name", table.columnOf(index).name())
            .text("end_token", Long.toString(file.largestToken()))
            .text("start_token", Long.toString(file.smallestToken()))
            .text("table_name", table.name())
            .end();
      }
    }
  }

  private void sstableTasks() {
    for (StorageActivity.Task task : facts.storageActivity().tasks()) {
      TableSchema table = state.schema().table(task.tableId());
      if (table != null) {
        double share =
            task.totalBytes() == 0 ? 0 : (double) task.progressBytes() / task.totalBytes();
        rowOf(table)
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

  private void threadPools(NodeStatistics gathered) {
    for (NodeStatistics.ThreadPool pool : gathered.threadPools()) {
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
