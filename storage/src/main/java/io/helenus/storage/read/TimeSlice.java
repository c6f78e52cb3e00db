package io.helenus.storage.read;

import io.helenus.storage.env.Clock;

/**
 * The time that one call of advance may take, for cursors whose steps take much the same time: the
 * clock is asked once in a number of steps. Shard thread only.
 */
public final class TimeSlice {
  private static final long NANOS = 200_000;

  private final Clock clock;
  private final int clockEvery;
  private int steps;
  private long start;

  /** Slices whose clock is asked once in {@code clockEvery} steps. */
  public TimeSlice(Clock clock, int clockEvery) {
    this.clock = clock;
    this.clockEvery = clockEvery;
  }

  /** Begins a slice. */
  public void begin() {
    steps = 0;
    start = clock.nanos();
  }

  /** Counts a step, and tells whether the slice is over. */
  public boolean isUp() {
    return ++steps % clockEvery == 0 && clock.nanos() - start >= NANOS;
  }
}
