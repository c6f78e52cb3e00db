package io.helenus.storage.env;

/** The source of time. Any thread. */
public interface Clock {
  /** Wall-clock time in microseconds since 1970; may jump in either direction. */
  long wallMicros();

  /** Monotonic time in nanoseconds, for measuring durations only. */
  long nanos();
}
