package io.helenus.server.query.modification;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metadata.ReservedTimestamps;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.storage.env.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Write timestamps for requests that bring none: the wall clock in microseconds, and always later
 * than the last one, whatever the clock does and across restarts. One per node; any thread.
 *
 * <p>A timestamp is never given out before it is reserved. When the clock is ahead of the
 * reservation (it has jumped, or the disk is slow), timestamps rise by one from a second below the
 * end of the reservation until the next one is durable; a million writes later writes are refused.
 */
public final class ServerTimestamps {
  /** What is left of a reservation for timestamps that rise by one. */
  private static final long HEADROOM_MICROS = 1_000_000;

  private final Clock clock;
  private final ReservedTimestamps reserved;
  private final AtomicLong last;

  /** By this clock, within what is reserved. */
  public ServerTimestamps(Clock clock, ReservedTimestamps reserved) {
    this.clock = clock;
    this.reserved = reserved;
    long first = reserved.firstMicros();
    this.last = new AtomicLong(first == Long.MIN_VALUE ? first : first - 1);
  }

  /** The timestamp that the client gave, or else the next one. */
  long of(QueryParameters parameters) {
    long given = parameters.timestampMicros();
    return given == QueryParameters.NO_TIMESTAMP ? next() : given;
  }

  /** The next timestamp; a CqlException if none is reserved. */
  public long next() {
    while (true) {
      long previous = last.get();
      long wall = clock.wallMicros();
      long limit = reserved.limitMicros();
      long next = Math.max(Math.min(wall, limit - HEADROOM_MICROS), previous + 1);
      if (limit == Long.MIN_VALUE || next >= limit) {
        reserved.extend(Math.max(wall, next));
        throw new CqlException(
            new CqlError.Overloaded(
                "No server timestamp is reserved: the disk does not keep up. Try again later, or"
                    + " write with a client timestamp"));
      }
      if (last.compareAndSet(previous, next)) {
        reserved.extend(Math.max(wall, next));
        return next;
      }
    }
  }

  /** The first timestamp that was not given out. */
  public long firstUnused() {
    return last.get() + 1;
  }
}
