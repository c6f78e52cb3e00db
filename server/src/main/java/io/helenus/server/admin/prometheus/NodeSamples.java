package io.helenus.server.admin.prometheus;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.DroppedMessages;
import io.helenus.server.admin.NodeMeasurements;
import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.metrics.RequestCounts;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.metrics.TableCounts;
import io.helenus.server.metrics.ViewCounts;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.ClusterFacts;
import io.helenus.server.system.IndexSums;
import io.helenus.server.system.MemberView;
import io.helenus.server.system.NodeFacts;
import io.helenus.server.system.NodeStatistics;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.VectorSearchCounts;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the metrics of a node. One thread at a time. */
final class NodeSamples {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSamples.class);
  private static final Name OTHERS = new Name("(other)", "(other)");

  private final AdminNode node;
  private final int tableLimit;
  private final ShownTables shown;
  private boolean warned;

  /** The name of a table. */
  private record Name(String keyspace, String table) {}

  NodeSamples(AdminNode node, int tableLimit) {
    this.node = node;
    this.tableLimit = tableLimit;
    this.shown = new ShownTables(tableLimit);
  }

  MetricSnapshots take() throws CommandException {
    Samples samples = new Samples();
    samples.add(Series.BUILD, 1, node.facts().helenusVersion());
    samples.add(Series.RESIDENT, node.residentBytes());
    samples.add(Series.CLIENTS, node.facts().clients().size());
    for (NodeFacts.MemoryUse use : node.facts().memory()) {
      samples.add(Series.MEMORY_LIMIT, use.limit(), use.name());
      samples.add(Series.MEMORY_USED, use.used(), use.name());
      samples.add(Series.MEMORY_HIGH_WATER, use.highWater(), use.name());
      samples.add(Series.MEMORY_KEPT, use.kept(), use.name());
    }
    NavigableMap<Integer, Name> existing = tables();
    shown.update(existing);
    warnOnce(existing.size());
    NodeMeasurements measured =
        node.measurements(shown.ids().stream().mapToInt(Integer::intValue).toArray());
    addRequests(measured.counts().requests(), samples);
    addViews(measured.counts().views(), samples);
    addTables(existing, measured, samples);
    addIndexes(samples);
    addLog(measured.commitLog(), samples);
    addStatistics(node.statistics(null, new int[0]), samples);
    addCluster(samples);
    addCompactions(node.facts().storageActivity(), samples);
    return samples.snapshots();
  }

  private void addCluster(Samples samples) {
    ClusterFacts.Traffic traffic = node.facts().cluster().traffic();
    samples.add(Series.READ_REPAIRS, traffic.readRepairs());
    samples.add(Series.DIGEST_MISMATCHES, traffic.blockingMismatches());
    List<MemberView> peers = node.cluster().peers();
    long up = peers.stream().filter(MemberView::isUp).count();
    samples.add(Series.MEMBERS, up + 1, "up");
    samples.add(Series.MEMBERS, peers.size() - up, "down");
    ClusterFacts.LinkTotals links = traffic.links();
    samples.add(Series.LINKS, links.open());
    samples.add(Series.LINKS_OPENED, links.connections());
    samples.add(Series.LINK_BYTES, links.bytesIn(), "in");
    samples.add(Series.LINK_BYTES, links.bytesOut(), "out");
    samples.add(Series.LINK_MESSAGES, links.messagesIn(), "in");
    samples.add(Series.LINK_MESSAGES, links.messagesOut(), "out");
    samples.add(Series.LINK_DROPPED, links.dropped());
    samples.add(Series.LINK_LATE, links.late());
  }

  /** The tables with files by storage id. */
  private NavigableMap<Integer, Name> tables() {
    NavigableMap<Integer, Name> tables = new TreeMap<>();
    tables.put(BatchLog.TABLE_ID, new Name("system", "batches"));
    for (KeyspaceSchema keyspace : node.state().schema().keyspaces()) {
      for (TableSchema table : keyspace.tables()) {
        if (table.storageId() > 0) {
          tables.put(table.storageId(), new Name(table.keyspace(), table.name()));
        }
      }
    }
    return tables;
  }

  private void warnOnce(int tables) {
    if (tables > tableLimit && !warned) {
      warned = true;
      LOG.warn(
          "Metrics: {} of {} tables are shown together as (other), because metrics_table_limit is"
              + " {}",
          tables - tableLimit,
          tables,
          tableLimit);
    }
  }

  private static void addRequests(Map<RequestKind, RequestCounts> requests, Samples samples) {
    requests.forEach(
        (kind, counts) -> {
          String scope = scope(kind);
          samples.add(Series.REQUEST_LATENCY, counts.latencies(), scope);
          samples.add(Series.REQUEST_TIMEOUTS, counts.timeouts(), scope);
          samples.add(Series.REQUEST_UNAVAILABLES, counts.unavailables(), scope);
          samples.add(Series.REQUEST_FAILURES, counts.failures(), scope);
        });
    DroppedMessages.of(requests)
        .forEach((message, count) -> samples.add(Series.DROPPED, count, message));
  }

  private static void addViews(ViewCounts views, Samples samples) {
    String scope = "ViewWrite";
    samples.add(Series.VIEW_WRITE_LATENCY, views.latencies(), scope);
    samples.add(Series.VIEW_WRITES_ATTEMPTED, views.attempted(), scope);
    samples.add(Series.VIEW_WRITES_SUCCEEDED, views.succeeded(), scope);
    samples.add(Series.VIEW_WRITES_PENDING, views.attempted() - views.succeeded(), scope);
  }

  private static String scope(RequestKind kind) {
    return switch (kind) {
      case READ -> "Read";
      case RANGE_SLICE -> "RangeSlice";
      case WRITE -> "Write";
      case CAS_WRITE -> "CASWrite";
    };
  }

  private void addTables(
      NavigableMap<Integer, Name> existing, NodeMeasurements measured, Samples samples) {
    TableStatistics ofOthers = TableStatistics.NONE;
    long tombstonesOfOthers = 0;
    long load = 0;
    int summed = 0;
    for (Map.Entry<Integer, Name> each : existing.entrySet()) {
      int id = each.getKey();
      NodeFacts facts = node.facts();
      TableStatistics known = facts.statistics(id);
      TableStatistics statistics = known == null ? TableStatistics.NONE : known;
      long tombstones = facts.mostTombstones(id);
      load += statistics.fileBytes();
      if (shown.isShown(id)) {
        addStatistics(each.getValue(), statistics, tombstones, samples);
        TableCounts counts = measured.counts().tables().get(id);
        if (counts != null) {
          addCounts(each.getValue(), counts, samples);
        }
      } else {
        summed++;
        ofOthers = ofOthers.plus(statistics);
        tombstonesOfOthers = Math.max(tombstonesOfOthers, tombstones);
      }
    }
    samples.add(Series.LOAD, load);
    samples.add(Series.TABLES_SUMMED, summed);
    TableCounts others = shown.others(measured.counts().allTables(), measured.counts().tables());
    if (summed > 0) {
      addStatistics(OTHERS, ofOthers, tombstonesOfOthers, samples);
    }
    addCounts(OTHERS, others, samples);
  }

  private void addIndexes(Samples samples) {
    IndexSums ofOthers = IndexSums.NONE;
    for (KeyspaceSchema keyspace : node.state().schema().keyspaces()) {
      for (TableSchema table : keyspace.tables()) {
        IndexSums sums = IndexSums.of(table, node.facts());
        if (shown.isShown(table.storageId())) {
          addIndexes(new Name(table.keyspace(), table.name()), sums, samples);
        } else {
          ofOthers = ofOthers.plus(sums);
        }
      }
    }
    addIndexes(OTHERS, ofOthers, samples);
  }

  private static void addIndexes(Name table, IndexSums sums, Samples samples) {
    if (sums.indexes() > 0) {
      String[] labels = {table.keyspace(), table.table()};
      samples.add(Series.INDEXES, sums.indexes(), labels);
      samples.add(Series.QUERYABLE_INDEXES, sums.built(), labels);
      samples.add(Series.INDEX_BUILDS, sums.indexes() - sums.built(), labels);
      samples.add(Series.INDEX_FILES, sums.files(), labels);
      samples.add(Series.INDEX_DISK_SPACE, sums.bytes(), labels);
      addSearches(table, sums.searches(), samples);
    }
  }

  private static void addSearches(Name table, VectorSearchCounts searches, Samples samples) {
    if (searches.searches() > 0) {
      String keyspace = table.keyspace();
      String name = table.table();
      samples.add(Series.VECTOR_SEARCHES, searches.graphSearches(), keyspace, name, "graph");
      samples.add(Series.VECTOR_SEARCHES, searches.exactSearches(), keyspace, name, "exact");
      samples.add(Series.VECTORS_COMPARED, searches.comparedVectors(), keyspace, name);
      samples.add(
          Series.VECTOR_SEARCH_LATENCY,
          searches.searches(),
          searches.nanos() / 1e9,
          keyspace,
          name);
    }
  }

  private static void addStatistics(
      Name table, TableStatistics statistics, long mostTombstones, Samples samples) {
    String[] labels = {table.keyspace(), table.table()};
    samples.add(Series.SSTABLES, statistics.files(), labels);
    samples.add(Series.DISK_SPACE, statistics.fileBytes(), labels);
    samples.add(Series.MEMTABLES, statistics.memtableBytes(), labels);
    samples.add(Series.PARTITIONS, statistics.estimatedPartitions(), labels);
    samples.add(Series.LARGEST_PARTITION, statistics.largestPartitionBytes(), labels);
    samples.add(Series.MOST_TOMBSTONES, mostTombstones, labels);
  }

  /** A kind of work that has never been done is not shown: most tables are never scanned. */
  private static void addCounts(Name table, TableCounts counts, Samples samples) {
    String[] labels = {table.keyspace(), table.table()};
    if (counts.reads().count() > 0) {
      samples.add(Series.READ_LATENCY, counts.reads(), labels);
    }
    if (counts.scans().count() > 0) {
      samples.add(Series.RANGE_LATENCY, counts.scans(), labels);
    }
    if (counts.writes().count() > 0) {
      samples.add(Series.WRITE_LATENCY, counts.writes(), labels);
    }
    if (counts.viewWaits().count() > 0) {
      samples.add(Series.VIEW_LOCK_TIME, counts.viewWaits(), labels);
    }
    if (counts.viewReads().count() > 0) {
      samples.add(Series.VIEW_READ_TIME, counts.viewReads(), labels);
    }
    if (counts.measured() > 0) {
      samples.add(Series.LIVE_SCANNED, counts.measured(), counts.rows(), labels);
      samples.add(Series.TOMBSTONES_SCANNED, counts.measured(), counts.tombstones(), labels);
    }
  }

  private static void addLog(CommitLogStatistics log, Samples samples) {
    samples.add(Series.LOG_SIZE, log.bytes());
    samples.add(Series.LOG_COMPLETED, log.completed());
    samples.add(Series.LOG_PENDING, log.pending());
  }

  private static void addStatistics(NodeStatistics statistics, Samples samples) {
    HotPartitionList hot = statistics.hotPartitions();
    samples.add(Series.HOTTEST_PARTITION, hot.largestReadShare(), "read");
    samples.add(Series.HOTTEST_PARTITION, hot.largestWriteShare(), "write");
    for (NodeStatistics.ThreadPool pool : statistics.threadPools()) {
      String[] labels = {path(pool.name()), pool.name()};
      samples.add(Series.ACTIVE_TASKS, pool.activeTasks(), labels);
      samples.add(Series.PENDING_TASKS, pool.pendingTasks(), labels);
      samples.add(Series.COMPLETED_TASKS, pool.completedTasks(), labels);
      samples.add(Series.MAX_POOL_SIZE, pool.activeTasksLimit(), labels);
    }
    for (NodeStatistics.Cache cache : statistics.caches()) {
      if (cache.name().equals("chunks")) {
        String scope = "ChunkCache";
        samples.add(Series.CACHE_CAPACITY, cache.capacityBytes(), scope);
        samples.add(Series.CACHE_SIZE, cache.sizeBytes(), scope);
        samples.add(Series.CACHE_ENTRIES, cache.entryCount(), scope);
        samples.add(Series.CACHE_REQUESTS, cache.requestCount(), scope);
        samples.add(Series.CACHE_HITS, cache.hitCount(), scope);
        samples.add(Series.CACHE_MISSES, cache.requestCount() - cache.hitCount(), scope);
      }
    }
    Map<String, Double> cql = statistics.statements();
    samples.add(Series.PREPARED, cql.getOrDefault("prepared_statements_count", 0.0));
    samples.add(Series.PREPARED_EVICTED, cql.getOrDefault("prepared_statements_evicted", 0.0));
    samples.add(Series.PREPARED_EXECUTED, cql.getOrDefault("prepared_statements_executed", 0.0));
    samples.add(Series.REGULAR_EXECUTED, cql.getOrDefault("regular_statements_executed", 0.0));
  }

  /** The group that Cassandra has a stage in. */
  private static String path(String stage) {
    return switch (stage) {
      case "MutationStage", "ReadStage" -> "request";
      case "Native-Transport-Requests" -> "transport";
      default -> "internal";
    };
  }

  private static void addCompactions(StorageActivity activity, Samples samples) {
    StorageActivity.Work compactions = activity.compactions();
    samples.add(Series.COMPACTIONS_PENDING, compactions.pending() + compactions.active());
    samples.add(Series.COMPACTIONS, compactions.completed());
    samples.add(Series.COMPACTED_BYTES, activity.compactedBytes());
  }
}
