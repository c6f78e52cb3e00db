package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a scan, both ends included. The smallest number is no token: as a bound it stands
 * for the start, and as an upper bound for the end of the ring.
 *
 * @param first the smallest token
 * @param last the greatest token; smaller than the first where there is none
 */
public record TokenBounds(long first, long last) {
  public static final TokenBounds ALL = new TokenBounds(Long.MIN_VALUE, Long.MAX_VALUE);

  private static final TokenBounds NONE = new TokenBounds(Long.MAX_VALUE, Long.MIN_VALUE);

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
   * The tokens that a token of keys which are named must have: there the smallest number is no more
   * than itself.
   */
  public static TokenBounds ofNamed(@Nullable TokenRestriction restriction, BoundSlots bound) {
    TokenBounds tokens = of(restriction, bound);
    if (restriction == null) {
      return tokens;
    }
    int slot = restriction.equalSlot() >= 0 ? restriction.equalSlot() : restriction.upperSlot();
    return slot >= 0 && token(slot, bound) == Long.MIN_VALUE ? NONE : tokens;
  }

  public boolean isEmpty() {
    return first > last;
  }

  public boolean contains(long token) {
    return first <= token && token <= last;
  }
}
