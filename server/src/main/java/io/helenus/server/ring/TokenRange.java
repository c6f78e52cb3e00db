package io.helenus.server.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * The tokens greater than {@code left} up to and including {@code right}. If left is not smaller
 * than right, the range wraps around from the greatest token to the smallest; left equal to right
 * is the whole ring. Immutable.
 */
public record TokenRange(long left, long right) {
  /** The whole ring. */
  public static final TokenRange FULL = new TokenRange(Long.MIN_VALUE, Long.MIN_VALUE);

  /** Whether the range wraps around the end of the ring. */
  public boolean wraps() {
    return left >= right;
  }

  /** Whether a token is in the range. */
  public boolean contains(long token) {
    return wraps() ? token > left || token <= right : token > left && token <= right;
  }

  /**
   * The range as parts that do not wrap, in ascending order; in them Long.MAX_VALUE on the right is
   * the end of the ring. Long.MIN_VALUE on the right of a wrapping range means the end, too.
   */
  public List<TokenRange> unwrap() {
    if (!wraps()) {
      return List.of(this);
    }
    List<TokenRange> parts = new ArrayList<>(2);
    if (right != Long.MIN_VALUE) {
      parts.add(new TokenRange(Long.MIN_VALUE, right));
    }
    if (left != Long.MAX_VALUE) {
      parts.add(new TokenRange(left, Long.MAX_VALUE));
    }
    return parts;
  }
}
