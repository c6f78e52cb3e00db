package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.Bytes;

/**
 * Timestamp and time to live of one modification, from USING, the request or the table. Kept and
 * filled again. One thread.
 */
final class WriteTimes {
  private static final int TTL_LIMIT_SECONDS = 20 * 365 * 24 * 60 * 60;
  private static final long EXPIRY_LIMIT_SECONDS = Integer.MAX_VALUE - 1L;

  private long timestampMicros;
  private long nowSeconds;
  private int ttlSeconds;

  /**
   * Decides both.
   *
   * @param givenMicros what the request, or its batch, says
   */
  void fill(ModificationPlan plan, BoundSlots bound, long givenMicros, long now) {
    nowSeconds = now;
    timestampMicros = givenMicros;
    if (plan.timestampSlot() >= 0) {
      timestampMicros = timestamp(bound, plan.timestampSlot(), givenMicros);
    }
    ttlSeconds = plan.table().options().defaultTimeToLiveSeconds();
    int slot = plan.ttlSlot();
    if (slot >= 0 && bound.length(slot) != BoundSlots.UNSET) {
      ttlSeconds =
          bound.length(slot) <= 0
              ? 0
              : checkedTtl(Bytes.getInt(bound.segment(slot), bound.offset(slot)));
    }
    if (ttlSeconds > 0 && nowSeconds + ttlSeconds > EXPIRY_LIMIT_SECONDS) {
      throw beyondLimit(plan.table(), ttlSeconds);
    }
  }

  /** The timestamp of a slot; the given one where it is not set. */
  static long timestamp(BoundSlots bound, int slot, long givenMicros) {
    int length = bound.length(slot);
    if (length == BoundSlots.UNSET) {
      return givenMicros;
    }
    if (length <= 0) {
      throw CqlException.invalid("Invalid null value of timestamp");
    }
    long micros = Bytes.getLong(bound.segment(slot), bound.offset(slot));
    if (micros == Long.MIN_VALUE) {
      throw CqlException.invalid(
          "Out of bound timestamp, must be in [" + -Long.MAX_VALUE + ", " + Long.MAX_VALUE + "]");
    }
    return micros;
  }

  private static int checkedTtl(int seconds) {
    if (seconds < 0) {
      throw CqlException.invalid("A TTL must be greater or equal to 0, but was " + seconds);
    }
    if (seconds > TTL_LIMIT_SECONDS) {
      throw CqlException.invalid(
          "ttl is too large. requested (" + seconds + ") maximum (" + TTL_LIMIT_SECONDS + ")");
    }
    return seconds;
  }

  private static CqlException beyondLimit(TableSchema table, int seconds) {
    return CqlException.invalid(
        "Request on table "
            + table
            + " with ttl of "
            + seconds
            + " seconds exceeds maximum supported expiration date of 2038-01-19T03:14:06+00:00. In"
            + " order to avoid this use a lower TTL, change the expiration date overflow policy or"
            + " upgrade to a version where this limitation is fixed. See CASSANDRA-14092 and"
            + " CASSANDRA-14227 for more details.");
  }

  /** Microseconds, of all cells written. */
  long timestampMicros() {
    return timestampMicros;
  }

  /** The second at which deletions are made. */
  long nowSeconds() {
    return nowSeconds;
  }

  /** Seconds that cells live; 0 for ever. */
  int ttlSeconds() {
    return ttlSeconds;
  }

  /** When cells expire, in seconds. */
  long expirySeconds() {
    return nowSeconds + ttlSeconds;
  }
}
