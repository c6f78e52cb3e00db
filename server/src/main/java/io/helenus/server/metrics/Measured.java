package io.helenus.server.metrics;

import org.HdrHistogram.Histogram;

/**
 * The summary of one quantity: of a shard, or of several added up. Immutable by convention: nobody
 * changes the histogram after it was handed out.
 *
 * @param count how often it was measured since the start
 * @param max the greatest of what is not forgotten yet
 * @param perSecond how often it was measured per second lately
 * @param histogram the values, the older ones with less weight
 */
public record Measured(long count, long max, double perSecond, Histogram histogram) {
  private static final double PERCENT = 100.0;

  /** Of two shards the whole. */
  public Measured plus(Measured other) {
    Histogram sum = histogram.copy();
    sum.add(other.histogram);
    return new Measured(
        count + other.count, Math.max(max, other.max), perSecond + other.perSecond, sum);
  }

  /** The value that this share of the measurements does not exceed: 0.5 for the median. */
  public long quantile(double share) {
    return Math.min(max, histogram.getValueAtPercentile(share * PERCENT));
  }
}
