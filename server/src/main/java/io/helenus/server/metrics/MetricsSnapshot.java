package io.helenus.server.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one shard, or the sum of several, at one moment. Must not be modified.
 *
 * @param requests the number of client requests received
 * @param preparedExecuted the number of EXECUTE messages processed
 * @param regularExecuted the number of QUERY messages processed
 * @param reads the number of finished partition and range reads of replicas, failed ones included
 * @param writes the number of finished mutations, failed ones included
 * @param cacheHitsPerSecond of the block cache, averaged over 15 minutes
 * @param cacheRequestsPerSecond of the block cache, averaged over 15 minutes
 * @param batches partitions per batch by kind; kinds that never occurred are absent
 * @param tables the requested metric of the requested tables, by storage id; unused tables are
 *     absent
 * @param hotPartitions the partitions that are read and written most
 */
public record MetricsSnapshot(
    long requests,
    long preparedExecuted,
    long regularExecuted,
    long reads,
    long writes,
    double cacheHitsPerSecond,
    double cacheRequestsPerSecond,
    Map<BatchKind, MetricSummary> batches,
    Map<Integer, MetricSummary> tables,
    HotPartitionList hotPartitions) {
  /** No measurements. */
  public static MetricsSnapshot none() {
    return new MetricsSnapshot(0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of(), HotPartitionList.NONE);
  }

  /** The sum of two shards. */
  public MetricsSnapshot plus(MetricsSnapshot other) {
    Map<BatchKind, MetricSummary> allBatches = new EnumMap<>(BatchKind.class);
    allBatches.putAll(batches);
    other.batches.forEach((kind, each) -> allBatches.merge(kind, each, MetricSummary::plus));
    Map<Integer, MetricSummary> allTables = new TreeMap<>(tables);
    other.tables.forEach((id, each) -> allTables.merge(id, each, MetricSummary::plus));
    return new MetricsSnapshot(
        requests + other.requests,
        preparedExecuted + other.preparedExecuted,
        regularExecuted + other.regularExecuted,
        reads + other.reads,
        writes + other.writes,
        cacheHitsPerSecond + other.cacheHitsPerSecond,
        cacheRequestsPerSecond + other.cacheRequestsPerSecond,
        allBatches,
        allTables,
        hotPartitions.plus(other.hotPartitions));
  }

  /** The summary of a table; null if the table has not been used. */
  public @Nullable MetricSummary table(int storageId) {
    return tables.get(storageId);
  }
}
