package io.helenus.storage.env;

/** Time. Any thread. */
public interface Clock {
  /** Microseconds since 1970, as far as the machine knows; may jump either way. */
  long wallMicros();

  /** A monotonic time in nanoseconds, for measuring and waiting only. */
  long nanos();
}
