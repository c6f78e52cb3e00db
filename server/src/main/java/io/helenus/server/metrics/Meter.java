package io.helenus.server.metrics;

/**
 * A rate per second: an exponentially weighted moving average, as in the metrics library that
 * Cassandra uses. The count is passed in every {@link #TICK_SECONDS} seconds; missed ticks are
 * caught up in one step. One thread.
 */
final class Meter {
  /** The length of a tick. */
  static final int TICK_SECONDS = 5;

  private final double kept;
  private double perSecond;
  private long counted;
  private boolean begun;

  /** Creates a meter with an averaging window in minutes. */
  Meter(int minutes) {
    kept = Math.exp(-TICK_SECONDS / (60.0 * minutes));
  }

  /** Advances by several ticks; the count belongs to the first of them. */
  void tick(long count, long ticks) {
    double now = (double) (count - counted) / TICK_SECONDS;
    counted = count;
    long idle = ticks - 1;
    if (begun) {
      perSecond = perSecond * kept + now * (1 - kept);
    } else if (count > 0) {
      begun = true;
      perSecond = now;
    }
    if (idle > 0) {
      perSecond *= Math.pow(kept, idle);
    }
  }

  double perSecond() {
    return perSecond;
  }
}
