package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.sim.SimClock;

/**
 * The clock of one machine, which is fast or slow by its drift and whose wall clock is off by an
 * offset that may jump. One thread.
 */
final class HostClock implements Clock {
  private static final long MILLION = 1_000_000;

  private final SimTime time;
  private final long bootedNanos;
  private final long driftPpm;
  private long offsetMicros;

  /**
   * A clock.
   *
   * @param bootedNanos what the monotonic clock shows when the run begins
   * @param driftPpm how much it gains, in microseconds a second
   */
  HostClock(SimTime time, long bootedNanos, long driftPpm, long offsetMicros) {
    this.time = time;
    this.bootedNanos = bootedNanos;
    this.driftPpm = driftPpm;
    this.offsetMicros = offsetMicros;
  }

  private long elapsedNanos() {
    long nanos = time.nanos();
    return nanos + nanos / MILLION * driftPpm;
  }

  @Override
  public long nanos() {
    return bootedNanos + elapsedNanos();
  }

  @Override
  public long wallMicros() {
    return SimClock.START_MICROS + offsetMicros + elapsedNanos() / 1_000;
  }

  /** How far the wall clock is from the true time, in microseconds. */
  long errorMicros() {
    return wallMicros() - trueMicros(time);
  }

  /** The true wall-clock time in microseconds. */
  static long trueMicros(SimTime time) {
    return SimClock.START_MICROS + time.nanos() / 1_000;
  }

  /** Shifts the wall clock forward or backward. */
  void jump(long byMicros) {
    offsetMicros += byMicros;
  }

  /** How long a delay by this clock takes, rounded up, so that no timer is early. */
  long trueDelay(long delayNanos) {
    if (delayNanos <= 0) {
      return 0;
    }
    return delayNanos - delayNanos / MILLION * driftPpm + delayNanos / MILLION + 2_000;
  }
}
