package io.helenus.storage.env;

/** Time. Any thread. */
public interface Clock {
  /** Wall-clock time in microseconds since 1970; may jump either way. */
  long wallMicros();

  /** Monotonic time in nanoseconds, for measuring durations only. */
  long nanos();
}
