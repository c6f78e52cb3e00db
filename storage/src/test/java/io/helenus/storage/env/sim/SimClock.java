package io.helenus.storage.env.sim;

import io.helenus.storage.env.Clock;

/** A clock that moves only when the simulation advances it. One thread. */
public final class SimClock implements Clock {
  /** The initial wall-clock time: 2026-01-01T00:00:00Z. */
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

  /** Advances both clocks. */
  public void advance(long byNanos) {
    if (byNanos < 0) {
      throw new IllegalArgumentException("time must not go backwards");
    }
    nanos += byNanos;
  }

  /** Shifts the wall clock forward or backward. */
  public void jumpWall(long byMicros) {
    wallOffsetMicros += byMicros;
  }
}
