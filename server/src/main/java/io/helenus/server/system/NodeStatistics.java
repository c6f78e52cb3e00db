package io.helenus.server.system;

import io.helenus.server.metrics.BatchKind;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.server.metrics.MetricSummary;
import io.helenus.server.ring.ConsistencyLevel;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Statistics collected from all shards of a node at about the same time. Immutable; counts are
 * since the node started.
 *
 * @param threadPools by name
 * @param caches by name
 * @param tables the requested metric of the requested tables, by storage id; unused tables are
 *     absent
 * @param batches the numbers of partitions of batches by kind; unused kinds are absent
 * @param statements statement counters by their names in system_views.cql_metrics
 * @param queries the requests in progress
 * @param hotPartitions the partitions that are read and written most
 */
public record NodeStatistics(
    List<ThreadPool> threadPools,
    List<Cache> caches,
    Map<Integer, MetricSummary> tables,
    Map<BatchKind, MetricSummary> batches,
    SortedMap<String, Double> statements,
    List<RunningQuery> queries,
    HotPartitionList hotPartitions) {
  /** A thread pool, or the equivalent of one of Cassandra's. */
  public record ThreadPool(
      String name,
      int activeTasks,
      int activeTasksLimit,
      long blockedTasks,
      long blockedTasksAllTime,
      long completedTasks,
      int pendingTasks) {}

  /** A cache. */
  public record Cache(
      String name,
      long capacityBytes,
      int entryCount,
      long hitCount,
      long requestCount,
      long recentHitsPerSecond,
      long recentRequestsPerSecond,
      long sizeBytes) {
    /** A cache that Helenus does not have, shown as Cassandra shows a disabled cache. */
    public static Cache absent(String name) {
      return new Cache(name, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  /**
   * A request in progress.
   *
   * @param what the operation, such as SELECT
   * @param storageId the storage id of its table
   */
  public record RunningQuery(
      String threadId, String what, int storageId, ConsistencyLevel level, long runningMicros) {}
}
