package io.helenus.server.metrics;

import org.HdrHistogram.Histogram;

/**
 * The summary of one metric, of one shard or the sum of several. Immutable by convention: the
 * histogram must not be modified.
 *
 * @param count the number of measurements since the node started
 * @param max the largest value that has not decayed yet
 * @param perSecond the recent rate of measurements per second
 * @param histogram the distribution of the values; older values weigh less
 */
public record MetricSummary(long count, long max, double perSecond, Histogram histogram) {
  private static final double PERCENT = 100.0;

  /** The sum of two shards. */
  public MetricSummary plus(MetricSummary other) {
    Histogram sum = histogram.copy();
    sum.add(other.histogram);
    return new MetricSummary(
        count + other.count, Math.max(max, other.max), perSecond + other.perSecond, sum);
  }

  /** The value at a quantile: 0.5 is the median. */
  public long quantile(double share) {
    return Math.min(max, histogram.getValueAtPercentile(share * PERCENT));
  }
}
