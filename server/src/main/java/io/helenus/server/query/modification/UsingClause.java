package io.helenus.server.query.modification;

import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.UpdateParameters;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A planned USING clause. Immutable; any thread.
 *
 * @param timestampSlot the slot of TIMESTAMP; null if not given
 * @param ttlSlot the slot of TTL; null if not given
 */
record UsingClause(@Nullable Integer timestampSlot, @Nullable Integer ttlSlot) {
  private static final String BATCH_RECEIVER = "[batch]";
  private static final int TTL_LIMIT_SECONDS = 20 * 365 * 24 * 60 * 60;

  /** Plans the clause of a single modification. */
  static UsingClause of(
      UpdateParameters parameters,
      TableSchema table,
      TermCompiler terms,
      ValueSlots.Builder slots) {
    Integer timestampSlot =
        slot(
            parameters.timestamp(),
            Receiver.of(table, "[timestamp]", ScalarType.BIGINT),
            terms,
            slots);
    Integer ttlSlot =
        slot(parameters.timeToLive(), Receiver.of(table, "[ttl]", ScalarType.INT), terms, slots);
    return new UsingClause(timestampSlot, ttlSlot);
  }

  /** Plans the clause of a batch, which cannot have a TTL. */
  static UsingClause ofBatch(
      UpdateParameters parameters, TermCompiler terms, ValueSlots.Builder slots) {
    Receiver receiver =
        new Receiver(BATCH_RECEIVER, BATCH_RECEIVER, "[timestamp]", ScalarType.BIGINT, null);
    return new UsingClause(slot(parameters.timestamp(), receiver, terms, slots), null);
  }

  private static @Nullable Integer slot(
      @Nullable Term value, Receiver receiver, TermCompiler terms, ValueSlots.Builder slots) {
    return value == null ? null : slots.add(terms.compile(value, receiver), receiver.type());
  }

  /**
   * The write timestamp in microseconds.
   *
   * @param requestMicros the timestamp if the clause has none
   * @throws CqlException INVALID if it is null or out of bounds
   */
  long timestampMicros(BoundSlots bound, long requestMicros) {
    long micros = anyMicros(bound, requestMicros);
    if (micros == Long.MIN_VALUE) {
      throw CqlException.invalid(
          "Out of bound timestamp, must be in [" + -Long.MAX_VALUE + ", " + Long.MAX_VALUE + "]");
    }
    return micros;
  }

  /** The same without a check of its bounds, for a batch, whose statements check them. */
  long anyMicros(BoundSlots bound, long requestMicros) {
    if (timestampSlot == null) {
      return requestMicros;
    }
    int slot = timestampSlot;
    if (bound.length(slot) == BoundSlots.UNSET) {
      return requestMicros;
    }
    requireTimestamp(bound);
    return Bytes.getLong(bound.segment(slot), bound.offset(slot));
  }

  /**
   * Checks that a timestamp, if the clause has one, is not null.
   *
   * @throws CqlException INVALID if it is
   */
  void requireTimestamp(BoundSlots bound) {
    if (timestampSlot == null) {
      return;
    }
    int length = bound.length(timestampSlot);
    if (length <= 0 && length != BoundSlots.UNSET) {
      throw CqlException.invalid("Invalid null value of timestamp");
    }
  }

  /**
   * The time to live in seconds; 0 for cells that do not expire.
   *
   * @param defaultSeconds the time to live if the clause has none
   */
  int ttlSeconds(BoundSlots bound, int defaultSeconds) {
    if (ttlSlot == null) {
      return defaultSeconds;
    }
    int slot = ttlSlot;
    int length = bound.length(slot);
    if (length == BoundSlots.UNSET) {
      return defaultSeconds;
    }
    if (length <= 0) {
      return 0;
    }
    int seconds = Bytes.getInt(bound.segment(slot), bound.offset(slot));
    if (seconds < 0) {
      throw CqlException.invalid("A TTL must be greater or equal to 0, but was " + seconds);
    }
    if (seconds > TTL_LIMIT_SECONDS) {
      throw CqlException.invalid(
          "ttl is too large. requested (" + seconds + ") maximum (" + TTL_LIMIT_SECONDS + ")");
    }
    return seconds;
  }
}
