package io.helenus.server.query.modification;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metadata.ReservedTimestamps;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.storage.env.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Write timestamps for requests without one: the wall clock in microseconds, but strictly
 * increasing even if the clock goes back, and across restarts. One per node; any thread.
 *
 * <p>A timestamp is used only after it has been reserved. If the clock is ahead of the reservation
 * (it has jumped, or the disk is slow), timestamps increase by one, starting one second below the
 * end of the reservation, until the next reservation is durable; after a million of them, writes
 * are rejected.
 */
public final class ServerTimestamps {
  /** The part of a reservation that is set aside for timestamps that increase by one. */
  private static final long HEADROOM_MICROS = 1_000_000;

  private final Clock clock;
  private final ReservedTimestamps reserved;
  private final AtomicLong last;

  /** The first timestamp that no other node has given out, as far as this one has heard. */
  private final AtomicLong heard = new AtomicLong(Long.MIN_VALUE);

  /** Creates timestamps from this clock, within the reservation. */
  public ServerTimestamps(Clock clock, ReservedTimestamps reserved) {
    this.clock = clock;
    this.reserved = reserved;
    long first = reserved.firstMicros();
    this.last = new AtomicLong(first == Long.MIN_VALUE ? first : first - 1);
  }

  /** The timestamp of the request or, without one, the next server timestamp. */
  long of(QueryParameters parameters) {
    long requested = parameters.timestampMicros();
    return requested == QueryParameters.NO_TIMESTAMP ? next() : requested;
  }

  /**
   * Returns the next timestamp, in microseconds since 1970.
   *
   * @throws CqlException OVERLOADED if the reservation is exhausted
   */
  public long next() {
    while (true) {
      long previous = last.get();
      long wall = clock.wallMicros();
      long limit = reserved.limitMicros();
      long now = Math.max(wall, heard.get());
      long next = Math.max(Math.min(now, limit - HEADROOM_MICROS), previous + 1);
      if (limit == Long.MIN_VALUE || next >= limit) {
        reserved.extend(Math.max(now, next));
        throw new CqlException(
            new CqlError.Overloaded(
                "No server timestamp is reserved because the disk does not keep up. Retry later or"
                    + " use client timestamps"));
      }
      if (last.compareAndSet(previous, next)) {
        reserved.extend(Math.max(now, next));
        return next;
      }
    }
  }

  /**
   * Goes beyond the timestamp of another node, as soon as such timestamps are reserved, so that
   * what is written here later is newer than what was written there before.
   */
  public void goBeyond(long micros) {
    long limit = reserved.limitMicros();
    if (micros <= last.get() || limit == Long.MIN_VALUE) {
      return;
    }
    long latest = heard.accumulateAndGet(micros + 1, Math::max);
    reserved.extend(latest);
    long reached = Math.min(micros, limit - HEADROOM_MICROS);
    long ignored = last.accumulateAndGet(reached, Math::max);
  }

  /** The first unused timestamp. */
  public long firstUnused() {
    return last.get() + 1;
  }
}
