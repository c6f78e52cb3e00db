package io.helenus.storage.env;

/** The source of time. Any thread. */
public interface Clock {
  /** Wall-clock time in microseconds since 1970; may jump in either direction. */
  long wallMicros();

  /** Wall-clock time in seconds since 1970, rounded down. */
  default long wallSeconds() {
    return Math.floorDiv(wallMicros(), 1_000_000L);
  }

  /** Monotonic time in nanoseconds, for measuring durations only. */
  long nanos();
}
