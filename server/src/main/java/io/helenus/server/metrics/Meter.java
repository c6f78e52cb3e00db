package io.helenus.server.metrics;

/**
 * A rate per second: an exponentially weighted moving average, as those of the metrics library that
 * Cassandra uses. It learns the count every {@link #TICK_SECONDS} seconds; idle ticks are made up
 * for in one step. One thread.
 */
final class Meter {
  /** How long a tick is. */
  static final int TICK_SECONDS = 5;

  private final double kept;
  private double perSecond;
  private long counted;
  private boolean begun;

  /** Over so many minutes. */
  Meter(int minutes) {
    kept = Math.exp(-TICK_SECONDS / (60.0 * minutes));
  }

  /** So many ticks have gone by, and with the first of them the count has come to this. */
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
