package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A range of tokens, both ends included. {@link Long#MIN_VALUE} is the token of nothing but the
 * empty key, which only a view can have: as a lower bound, exclusive or not, it means the start of
 * the ring, as an upper bound its end. Immutable; any thread.
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
    int slot = restriction.equalSlot() >= 0 ? restriction.equalSlot() : restriction.upperSlot();
    if (slot < 0 || token(slot, bound) != Long.MIN_VALUE) {
      return bounds(restriction, bound);
    }
    return restriction.equalSlot() >= 0 ? ALL : between(restriction, bound, Long.MAX_VALUE);
  }

  private static TokenBounds bounds(TokenRestriction restriction, BoundSlots bound) {
    if (restriction.equalSlot() >= 0) {
      long token = token(restriction.equalSlot(), bound);
      return new TokenBounds(token, token);
    }
    if (restriction.upperSlot() < 0) {
      return between(restriction, bound, Long.MAX_VALUE);
    }
    long upper = token(restriction.upperSlot(), bound);
    if (restriction.upperInclusive()) {
      return between(restriction, bound, upper);
    }
    return upper == Long.MIN_VALUE ? NONE : between(restriction, bound, upper - 1);
  }

  private static TokenBounds between(TokenRestriction restriction, BoundSlots bound, long last) {
    if (restriction.lowerSlot() < 0) {
      return new TokenBounds(Long.MIN_VALUE, last);
    }
    long lower = token(restriction.lowerSlot(), bound);
    if (restriction.lowerInclusive() || lower == Long.MIN_VALUE) {
      return new TokenBounds(lower, last);
    }
    return lower == Long.MAX_VALUE ? NONE : new TokenBounds(lower + 1, last);
  }

  /**
   * The token that a slot is bound to.
   *
   * @throws CqlException INVALID if it is null or unset
   */
  static long token(int slot, BoundSlots bound) {
    if (bound.length(slot) != Long.BYTES) {
      throw CqlException.invalid("Invalid null token value");
    }
    return Bytes.getLong(bound.segment(slot), bound.offset(slot));
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
