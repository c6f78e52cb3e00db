package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A range of tokens, both ends included. {@link Long#MIN_VALUE} is not a token: as a lower bound it
 * means the start of the ring, as an upper bound its end. Immutable; any thread.
 *
 * @param first the smallest token
 * @param last the largest token; smaller than the first if the range is empty
 */
public record TokenBounds(long first, long last) {
  /** All tokens. */
  public static final TokenBounds ALL = new TokenBounds(Long.MIN_VALUE, Long.MAX_VALUE);

  private static final TokenBounds NONE = new TokenBounds(Long.MAX_VALUE, Long.MIN_VALUE);

  /**
   * The tokens that a restriction allows a scan to read; all of them if it is null.
   *
   * @throws CqlException INVALID if a value is null or unset
   */
  public static TokenBounds of(@Nullable TokenRestriction restriction, BoundSlots bound) {
    if (restriction == null) {
      return ALL;
    }
    if (restriction.equalSlot() >= 0) {
      long token = token(restriction.equalSlot(), bound);
      return token == Long.MIN_VALUE ? ALL : new TokenBounds(token, token);
    }
    long lower =
        restriction.lowerSlot() < 0 ? Long.MIN_VALUE : token(restriction.lowerSlot(), bound);
    long upper =
        restriction.upperSlot() < 0 ? Long.MIN_VALUE : token(restriction.upperSlot(), bound);
    boolean openAbove = upper == Long.MIN_VALUE;
    if (lower != Long.MIN_VALUE && !restriction.lowerInclusive()) {
      if (lower == Long.MAX_VALUE) {
        return NONE;
      }
      lower++;
    }
    if (openAbove) {
      return new TokenBounds(lower, Long.MAX_VALUE);
    }
    return new TokenBounds(lower, restriction.upperInclusive() ? upper : upper - 1);
  }

  private static long token(int slot, BoundSlots bound) {
    if (bound.length(slot) != Long.BYTES) {
      throw CqlException.invalid("Invalid null token value");
    }
    return Bytes.getLong(bound.segment(slot), bound.offset(slot));
  }

  /**
   * The tokens that a restriction allows if the statement also selects partitions by key. Here
   * {@link Long#MIN_VALUE} as an upper bound or equal value has no special meaning, so nothing
   * matches it.
   */
  public static TokenBounds ofNamed(@Nullable TokenRestriction restriction, BoundSlots bound) {
    TokenBounds tokens = of(restriction, bound);
    if (restriction == null) {
      return tokens;
    }
    int slot = restriction.equalSlot() >= 0 ? restriction.equalSlot() : restriction.upperSlot();
    return slot >= 0 && token(slot, bound) == Long.MIN_VALUE ? NONE : tokens;
  }

  /** Whether the range contains no token. */
  public boolean isEmpty() {
    return first > last;
  }

  /** Whether the range contains a token. */
  public boolean contains(long token) {
    return first <= token && token <= last;
  }
}
