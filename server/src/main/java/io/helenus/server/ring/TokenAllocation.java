package io.helenus.server.ring;

import io.helenus.storage.env.Randomness;
import java.util.Arrays;

/** Chooses the tokens of a new node. Stateless. */
public final class TokenAllocation {
  private TokenAllocation() {}

  /**
   * The tokens of the first node of a cluster: evenly spread from a random start; ascending, and
   * never Long.MIN_VALUE.
   */
  public static long[] firstNode(int count, Randomness randomness) {
    if (count < 1) {
      throw new IllegalArgumentException("a node needs at least one token, not " + count);
    }
    long distance = count == 1 ? 0 : Long.divideUnsigned(-1L, count);
    long[] tokens = new long[count];
    long token = randomness.nextLong();
    for (int i = 0; i < count; i++) {
      tokens[i] = token == Long.MIN_VALUE ? Long.MAX_VALUE : token;
      token += distance;
    }
    Arrays.sort(tokens);
    return tokens;
  }
}
