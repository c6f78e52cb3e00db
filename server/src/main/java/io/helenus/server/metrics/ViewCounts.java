package io.helenus.server.metrics;

/**
 * Counts of the writes to partitions of materialized views that follow from writes to other
 * partitions of their tables, since the node started, of one shard or the sum of several. Must not
 * be modified.
 *
 * @param latencies how long it took from when the table's part was visible until they were
 * @param attempted how many were begun
 * @param succeeded how many have been carried out
 */
public record ViewCounts(LatencyCounts latencies, long attempted, long succeeded) {
  static ViewCounts none() {
    return new ViewCounts(new LatencyCounts(LatencyCounts.Resolution.FINE), 0, 0);
  }

  ViewCounts plus(ViewCounts other) {
    return new ViewCounts(
        latencies.plus(other.latencies), attempted + other.attempted, succeeded + other.succeeded);
  }
}
