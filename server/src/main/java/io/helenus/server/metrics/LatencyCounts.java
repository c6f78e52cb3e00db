package io.helenus.server.metrics;

/**
 * How many latencies were at most as long as certain bounds, which are powers of two of
 * nanoseconds, and their sum. Unlike the histogram of a {@link MetricSummary} nothing in it decays:
 * counts only grow, which monitoring systems need to compute rates. One thread; copies are handed
 * to others.
 */
public final class LatencyCounts {
  /** The smallest bound: 2^10 ns, about 1 µs. */
  private static final int FIRST_POWER = 10;

  /** The largest bound: 2^34 ns, about 17 s. Longer latencies are counted, without a bound. */
  private static final int LAST_POWER = 34;

  /** The distance of the bounds. */
  public enum Resolution {
    /** Each bound is twice the previous one. */
    FINE(0),
    /** Each bound is four times the previous one. */
    COARSE(1);

    /** The powers of two from one bound to the next, as a power of two. */
    private final int shift;

    Resolution(int shift) {
      this.shift = shift;
    }
  }

  private final int shift;
  private final long[] counts;
  private long sumNanos;

  /** Nothing counted yet. */
  public LatencyCounts(Resolution resolution) {
    this(resolution.shift, new long[((LAST_POWER - FIRST_POWER) >> resolution.shift) + 2], 0);
  }

  private LatencyCounts(int shift, long[] counts, long sumNanos) {
    this.shift = shift;
    this.counts = counts;
    this.sumNanos = sumNanos;
  }

  /** Counts a latency a number of times. */
  void add(long nanos, long times) {
    // the exponent of the smallest power of two that is not smaller
    int power = nanos <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(nanos - 1);
    int index = power <= FIRST_POWER ? 0 : (power - FIRST_POWER + shift) >> shift;
    counts[Math.min(index, counts.length - 1)] += times;
    sumNanos += nanos * times;
  }

  LatencyCounts copy() {
    return new LatencyCounts(shift, counts.clone(), sumNanos);
  }

  /** The sum of two counts of the same resolution. */
  LatencyCounts plus(LatencyCounts other) {
    return combined(other, 1);
  }

  /** The difference of two counts of the same resolution. */
  LatencyCounts minus(LatencyCounts other) {
    return combined(other, -1);
  }

  private LatencyCounts combined(LatencyCounts other, int sign) {
    LatencyCounts result = copy();
    for (int i = 0; i < counts.length; i++) {
      result.counts[i] += sign * other.counts[i];
    }
    result.sumNanos += sign * other.sumNanos;
    return result;
  }

  /** The bounds in nanoseconds; the last one is infinity. */
  public double[] boundsNanos() {
    double[] bounds = new double[counts.length];
    for (int i = 0; i < bounds.length - 1; i++) {
      bounds[i] = 1L << (FIRST_POWER + (i << shift));
    }
    bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
    return bounds;
  }

  /** How many latencies exceed the previous bound but not this one, for each bound. */
  public long[] counts() {
    return counts.clone();
  }

  /** The number of latencies. */
  public long count() {
    long count = 0;
    for (long each : counts) {
      count += each;
    }
    return count;
  }

  /** The sum of the latencies in nanoseconds. */
  public long sumNanos() {
    return sumNanos;
  }
}
