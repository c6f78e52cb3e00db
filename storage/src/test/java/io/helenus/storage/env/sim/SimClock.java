package io.helenus.storage.env.sim;

import io.helenus.storage.env.Clock;

/** A clock that stands still until the simulation moves it. One thread. */
public final class SimClock implements Clock {
  /** Where the wall clock starts: 2026-01-01T00:00:00Z. */
  public static final long START_MICROS = 1_767_225_600_000_000L;

  private long nanos;
  private long wallOffsetMicros = START_MICROS;

  @Override
  public long wallMicros() {
    return wallOffsetMicros + nanos / 1_000;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  /** Lets time pass. */
  public void advance(long byNanos) {
    if (byNanos < 0) {
      throw new IllegalArgumentException("time goes forward");
    }
    nanos += byNanos;
  }

  /** Sets the wall clock off, either way. */
  public void jumpWall(long byMicros) {
    wallOffsetMicros += byMicros;
  }
}
