package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that a statement allows beside keys that it names. As in Cassandra, a lower bound
 * above the upper one means the range that wraps around the end of the ring, and {@link
 * Long#MIN_VALUE} is the token of the empty key, which is refused only if it is in range.
 * Immutable; any thread.
 *
 * @param lower the lower bound, exclusive or not; none for the first token, inclusive
 * @param upper the upper bound, exclusive or not; none for the last token, inclusive
 */
record TokenFilter(long lower, boolean lowerInclusive, long upper, boolean upperInclusive) {
  private static final TokenFilter ALL =
      new TokenFilter(Long.MIN_VALUE, true, Long.MAX_VALUE, true);

  /**
   * The tokens that a restriction allows; all of them if it is null.
   *
   * @throws CqlException INVALID if a value is null or unset
   */
  static TokenFilter of(@Nullable TokenRestriction restriction, BoundSlots bound) {
    if (restriction == null) {
      return ALL;
    }
    if (restriction.equalSlot() >= 0) {
      long token = TokenBounds.token(restriction.equalSlot(), bound);
      return new TokenFilter(token, true, token, true);
    }
    boolean hasLower = restriction.lowerSlot() >= 0;
    boolean hasUpper = restriction.upperSlot() >= 0;
    return new TokenFilter(
        hasLower ? TokenBounds.token(restriction.lowerSlot(), bound) : Long.MIN_VALUE,
        !hasLower || restriction.lowerInclusive(),
        hasUpper ? TokenBounds.token(restriction.upperSlot(), bound) : Long.MAX_VALUE,
        !hasUpper || restriction.upperInclusive());
  }

  /** Whether every token is allowed. */
  boolean isAll() {
    return this == ALL;
  }

  /** Whether a token is allowed. */
  boolean allows(long token) {
    boolean afterLower = lowerInclusive ? token >= lower : token > lower;
    boolean beforeUpper = upperInclusive ? token <= upper : token < upper;
    return lower > upper ? afterLower || beforeUpper : afterLower && beforeUpper;
  }
}
