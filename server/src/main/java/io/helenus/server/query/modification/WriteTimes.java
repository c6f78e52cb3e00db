package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.TableSchema;

/**
 * Timestamp, deletion time and time to live of one modification, from its USING clause, its request
 * or its table. Reused for successive modifications. Not thread-safe.
 */
final class WriteTimes {
  private static final long EXPIRY_LIMIT_SECONDS = Integer.MAX_VALUE - 1L;

  private long timestampMicros;
  private long deletionMicros;
  private long nowSeconds;
  private int ttlSeconds;

  /**
   * Computes the times of a modification.
   *
   * @param requestMicros the timestamp of the request or of the batch
   * @throws CqlException INVALID if a value is null or out of range
   */
  void fill(ModificationPlan plan, BoundSlots bound, long requestMicros, long now) {
    // of several mistakes Cassandra names that of the time to live
    fillExpiry(plan, bound, now);
    timestampMicros = plan.using().timestampMicros(bound, requestMicros);
    deletionMicros = timestampMicros;
  }

  /**
   * The same for a statement of a conditional write, whose own timestamp does not count. As in
   * Cassandra, deletions of ranges and partitions do not cover rows of the same write.
   *
   * @param placeholderMicros stands for the timestamp of the write
   */
  void fillConditional(ModificationPlan plan, BoundSlots bound, long placeholderMicros, long now) {
    timestampMicros = placeholderMicros;
    deletionMicros = placeholderMicros - 1;
    fillExpiry(plan, bound, now);
  }

  private void fillExpiry(ModificationPlan plan, BoundSlots bound, long now) {
    nowSeconds = now;
    ttlSeconds = plan.using().ttlSeconds(bound, plan.table().options().defaultTimeToLiveSeconds());
    if (ttlSeconds > 0 && nowSeconds + ttlSeconds > EXPIRY_LIMIT_SECONDS) {
      throw beyondLimit(plan.table(), ttlSeconds);
    }
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

  /** The write timestamp of all cells, in microseconds. */
  long timestampMicros() {
    return timestampMicros;
  }

  /** The timestamp of deletions of ranges and partitions, in microseconds. */
  long deletionMicros() {
    return deletionMicros;
  }

  /** The local deletion time of all deletions, in seconds since the epoch. */
  long nowSeconds() {
    return nowSeconds;
  }

  /** The time to live of all cells, in seconds; 0 if they do not expire. */
  int ttlSeconds() {
    return ttlSeconds;
  }

  /** The time at which the cells expire, in seconds since the epoch. */
  long expirySeconds() {
    return nowSeconds + ttlSeconds;
  }
}
