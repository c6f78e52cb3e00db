package io.helenus.server.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a shard has measured, or several together, at one moment. Immutable once handed out.
 *
 * @param requests how many requests of clients were taken
 * @param preparedExecuted how many EXECUTE messages were run
 * @param regularExecuted how many QUERY messages were run
 * @param reads how many reads of partitions and ranges have ended
 * @param writes how many mutations were written, or were not
 * @param cacheHitsPerSecond of the block cache, over a quarter of an hour
 * @param cacheRequestsPerSecond of the block cache, over a quarter of an hour
 * @param batches how many partitions batches have had; without the kinds there were none of
 * @param tables the requested kind for the requested tables, by storage id; tables that were not
 *     used are missing
 */
public record MetricsSnapshot(
    long requests,
    long preparedExecuted,
    long regularExecuted,
    long reads,
    long writes,
    double cacheHitsPerSecond,
    double cacheRequestsPerSecond,
    Map<BatchKind, Measured> batches,
    Map<Integer, Measured> tables) {
  /** Nothing measured. */
  public static MetricsSnapshot none() {
    return new MetricsSnapshot(0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of());
  }

  /** Of two shards the whole. */
  public MetricsSnapshot plus(MetricsSnapshot other) {
    Map<BatchKind, Measured> allBatches = new EnumMap<>(BatchKind.class);
    allBatches.putAll(batches);
    other.batches.forEach((kind, each) -> allBatches.merge(kind, each, Measured::plus));
    Map<Integer, Measured> allTables = new TreeMap<>(tables);
    other.tables.forEach((id, each) -> allTables.merge(id, each, Measured::plus));
    return new MetricsSnapshot(
        requests + other.requests,
        preparedExecuted + other.preparedExecuted,
        regularExecuted + other.regularExecuted,
        reads + other.reads,
        writes + other.writes,
        cacheHitsPerSecond + other.cacheHitsPerSecond,
        cacheRequestsPerSecond + other.cacheRequestsPerSecond,
        allBatches,
        allTables);
  }

  /** What was measured of a table; null where it was not used. */
  public @Nullable Measured table(int storageId) {
    return tables.get(storageId);
  }
}
