package io.helenus.storage.env;

import java.time.Instant;

/** The machine's clock. Any thread. */
public final class SystemClock implements Clock {
  @Override
  public long wallMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000L + now.getNano() / 1_000;
  }

  /** Cheaper than the time in microseconds; every statement needs it. */
  @Override
  public long wallSeconds() {
    return System.currentTimeMillis() / 1_000;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
