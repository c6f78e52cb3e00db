package io.helenus.server.system;

import java.util.Arrays;

/**
 * A range of encoded keys in unsigned byte order, with tests whether keys sharing a prefix can be
 * in it. Immutable.
 *
 * @param lower the first key of the range, or a bound before it; empty for no lower bound
 * @param upper the end of the range, not included; empty for no upper bound
 * @param exact whether the range is the single key {@code lower}; {@code upper} is then empty
 */
record KeyRange(byte[] lower, byte[] upper, boolean exact) {
  private static final byte[] OPEN = {};
  static final KeyRange ALL = new KeyRange(OPEN, OPEN, false);

  /** Whether it contains this key. */
  boolean contains(byte[] key) {
    if (exact) {
      return Arrays.equals(key, lower);
    }
    return Arrays.compareUnsigned(key, lower) >= 0
        && (upper.length == 0 || Arrays.compareUnsigned(key, upper) < 0);
  }

  /** Whether this key is at or after the start of the range. */
  boolean isReachedByKey(byte[] key) {
    return Arrays.compareUnsigned(key, lower) >= 0;
  }

  /** Whether a longer key with this prefix can be at or after the start of the range. */
  boolean isReachedByPrefix(byte[] prefix) {
    return isReachedByKey(prefix)
        || (prefix.length < lower.length
            && Arrays.equals(prefix, 0, prefix.length, lower, 0, prefix.length));
  }

  /** Whether this key, or all keys with this prefix, are after the end of the range. */
  boolean isPassedBy(byte[] prefix) {
    if (exact) {
      return Arrays.compareUnsigned(prefix, lower) > 0;
    }
    return upper.length > 0 && Arrays.compareUnsigned(prefix, upper) >= 0;
  }
}
