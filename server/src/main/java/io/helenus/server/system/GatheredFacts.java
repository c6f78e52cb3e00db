package io.helenus.server.system;

import io.helenus.server.metrics.BatchKind;
import io.helenus.server.metrics.Measured;
import io.helenus.server.ring.ConsistencyLevel;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What all shards of a node know together, at about one moment. Immutable; counts are since the
 * start.
 *
 * @param threadPools what takes work, by name
 * @param caches by name
 * @param tables of the kind that was asked for, by storage id; without tables that were not used
 * @param batches how many partitions batches had; without the kinds there were none of
 * @param statements counters of statements, by the names of system_views.cql_metrics
 * @param queries what is being served
 */
public record GatheredFacts(
    List<ThreadPool> threadPools,
    List<Cache> caches,
    Map<Integer, Measured> tables,
    Map<BatchKind, Measured> batches,
    SortedMap<String, Double> statements,
    List<RunningQuery> queries) {
  /** Something that takes work. */
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
    /** One that this node does not have: as Cassandra shows a cache that is switched off. */
    public static Cache absent(String name) {
      return new Cache(name, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  /**
   * A request being served.
   *
   * @param what it does, such as SELECT
   * @param storageId of the table that it is about
   */
  public record RunningQuery(
      String threadId, String what, int storageId, ConsistencyLevel level, long runningMicros) {}
}
