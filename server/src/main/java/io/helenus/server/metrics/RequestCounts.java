package io.helenus.server.metrics;

/**
 * Counts of the requests of one kind since the node started, of one shard or the sum of several.
 * Must not be modified.
 *
 * @param latencies the latencies of those that were carried out, failed ones included
 * @param timeouts how many timed out
 * @param unavailables how many were refused because too few replicas are alive
 * @param failures how many failed otherwise
 * @param dropped how many replicas have given up because the deadline had passed
 */
public record RequestCounts(
    LatencyCounts latencies, long timeouts, long unavailables, long failures, long dropped) {
  static RequestCounts none() {
    return new RequestCounts(new LatencyCounts(LatencyCounts.Resolution.FINE), 0, 0, 0, 0);
  }

  RequestCounts plus(RequestCounts other) {
    return new RequestCounts(
        latencies.plus(other.latencies),
        timeouts + other.timeouts,
        unavailables + other.unavailables,
        failures + other.failures,
        dropped + other.dropped);
  }
}
