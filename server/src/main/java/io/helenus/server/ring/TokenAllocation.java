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

  /**
   * The tokens of a node that joins a ring, such that all nodes own about as much: ascending, free
   * in the ring, and never Long.MIN_VALUE. With 16 tokens, of three to nine nodes the one that owns
   * most owns at most 1.15 times as much as the one that owns least, of one replica as of three.
   *
   * @param ring the ring without the node
   * @param replicas the number of replicas for which ownership is evened out ({@code
   *     allocate_tokens_for_local_replication_factor})
   */
  public static long[] joining(TokenRing ring, int count, int replicas, Randomness randomness) {
    if (count < 1 || replicas < 1) {
      throw new IllegalArgumentException(count + " tokens for " + replicas + " replicas");
    }
    return ring.size() == 0
        ? firstNode(count, randomness)
        : JoiningTokens.choose(ring, count, replicas, randomness);
  }
}
