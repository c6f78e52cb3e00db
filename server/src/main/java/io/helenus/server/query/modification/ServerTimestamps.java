package io.helenus.server.query.modification;

import io.helenus.server.protocol.QueryParameters;
import io.helenus.storage.env.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Write timestamps for requests that bring none: the wall clock in microseconds, and never the same
 * one twice nor an earlier one, whatever the clock does. One per node; any thread.
 */
public final class ServerTimestamps {
  private final Clock clock;
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

  /** Of this clock. */
  public ServerTimestamps(Clock clock) {
    this.clock = clock;
  }

  /** What the client gave, or else the next timestamp. */
  long of(QueryParameters parameters) {
    long given = parameters.timestampMicros();
    return given == QueryParameters.NO_TIMESTAMP ? next() : given;
  }

  /** The next timestamp. */
  public long next() {
    while (true) {
      long previous = last.get();
      long next = Math.max(clock.wallMicros(), previous + 1);
      if (last.compareAndSet(previous, next)) {
        return next;
      }
    }
  }
}
