package io.helenus.storage.read;

import io.helenus.storage.env.Clock;

/**
 * The time that one call of advance may take, for reads whose steps may be many small rows or few
 * large ones: the clock is asked once in an amount of work. Shard thread only.
 */
final class ReadSlice {
  private static final long NANOS = 200_000;

  /** A row of so many bytes is passed on in a slice of its own. */
  private static final int LARGE_BYTES = 256 << 10;

  /** So many bytes count as much work as an entry. */
  private static final int BYTES_PER_ENTRY = 1024;

  private final Clock clock;
  private final int clockEvery;
  private long work;
  private boolean timed;
  private long start;

  /** Whether the slice follows a yield and has passed on no large row yet. */
  private boolean alone;

  /** Slices whose clock is asked once in {@code clockEvery} entries. */
  ReadSlice(Clock clock, int clockEvery) {
    this.clock = clock;
    this.clockEvery = clockEvery;
  }

  /** A read begins. */
  void open() {
    alone = false;
  }

  /** Begins a slice. */
  void begin() {
    work = 0;
    timed = false;
  }

  /** Ends a slice; the read goes on in another one if it yields. */
  void end(boolean yields) {
    alone = yields;
  }

  /** Counts entries and the bytes assembled for them; returns whether the slice is over. */
  boolean isUp(int entries, long bytes) {
    work += entries + bytes / BYTES_PER_ENTRY;
    if (work < clockEvery) {
      return false;
    }
    work = 0;
    long now = clock.nanos();
    if (!timed) {
      timed = true;
      start = now;
      return false;
    }
    return now - start >= NANOS;
  }

  static boolean isLarge(long bytes) {
    return bytes >= LARGE_BYTES;
  }

  /**
   * Whether a row may be passed on in this slice; if not, the read yields first. Copying a large
   * row takes milliseconds, and all reads that wait for its block go on in the same moment, so each
   * copy has a slice of its own: others are served between them.
   */
  boolean mayPass(long bytes) {
    if (!isLarge(bytes)) {
      return true;
    }
    boolean first = alone;
    alone = false;
    return first;
  }
}
