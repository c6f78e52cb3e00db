package io.helenus.server.ring;

import io.helenus.storage.env.Randomness;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the tokens of a node that joins a ring, one after the other: of the candidates always the
 * one after which ownership differs least between the nodes. Candidates are, in each of the larger
 * ranges, a token that takes as much as the node still lacks for each of its remaining tokens, and
 * one that halves the range. Ownership counts twice: of one replica, and of all replicas, since
 * both matter and the latter says nothing as long as there are no more nodes than replicas.
 *
 * <p>The ranges of the ring are fractions of it here, which are exact enough for comparing.
 */
final class JoiningTokens {
  /** Of a large ring only the largest ranges are considered. */
  private static final int RANGES_CONSIDERED = 256;

  /** How often each token is chosen once more, given all others. */
  private static final int PASSES = 2;

  /** What is random in a token, as a part of its range, so that nodes that join at once differ. */
  private static final double RANDOM_PART = 1.0 / 64;

  private final int nodes;
  private final int replicas;
  private final Randomness randomness;

  /** Ascending; the joining node is the last one. */
  private long[] tokens;

  private int[] owners;
  private final boolean[] seen;
  private final double[] owned;

  private JoiningTokens(TokenRing ring, int replicas, Randomness randomness) {
    this.nodes = ring.nodes().size() + 1;
    this.replicas = Math.min(replicas, nodes);
    this.randomness = randomness;
    List<RingNode> known = List.copyOf(ring.nodes());
    tokens = new long[ring.size()];
    owners = new int[ring.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = ring.tokenAt(i);
      owners[i] = known.indexOf(ring.ownerAt(i));
    }
    seen = new boolean[nodes];
    owned = new double[nodes];
  }

  static long[] choose(TokenRing ring, int count, int replicas, Randomness randomness) {
    JoiningTokens joining = new JoiningTokens(ring, replicas, randomness);
    long[] chosen = new long[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = joining.choose(count - i);
    }
    for (int pass = 0; pass < PASSES; pass++) {
      for (int i = 0; i < count; i++) {
        joining.remove(chosen[i]);
        chosen[i] = joining.choose(1);
      }
    }
    Arrays.sort(chosen);
    return chosen;
  }

  /** Takes a token of those that are still to be chosen. */
  private long choose(int remaining) {
    double lacking = 1.0 / nodes;
    for (int i = 0; i < tokens.length; i++) {
      lacking -= owners[i] == nodes - 1 ? share(i) : 0;
    }
    long best = best(Math.max(0, lacking) / remaining);
    insert(best);
    return best;
  }

  private void remove(long token) {
    int at = Arrays.binarySearch(tokens, token);
    long[] fewerTokens = Arrays.copyOf(tokens, tokens.length - 1);
    int[] fewerOwners = Arrays.copyOf(owners, owners.length - 1);
    System.arraycopy(tokens, at + 1, fewerTokens, at, fewerTokens.length - at);
    System.arraycopy(owners, at + 1, fewerOwners, at, fewerOwners.length - at);
    tokens = fewerTokens;
    owners = fewerOwners;
  }

  /** The part of the ring that ends at a token. */
  private double share(int index) {
    long before = tokens[index == 0 ? tokens.length - 1 : index - 1];
    return fraction(tokens[index] - before);
  }

  private static double fraction(long distance) {
    return distance == 0 ? 1 : (distance >>> 11) * 0x1.0p-53;
  }

  /** The token that evens out ownership most. */
  private long best(double wanted) {
    double least = smallestShareConsidered();
    long best = 0;
    double bestUnevenness = Double.MAX_VALUE;
    for (int i = 0; i < tokens.length; i++) {
      double share = share(i);
      if (share < least || owners[i] == nodes - 1) {
        continue;
      }
      double[] parts = {share / 2, Math.min(wanted, share * (1 - 2 * RANDOM_PART))};
      for (double part : parts) {
        long token = token(i, part + (random() - 0.5) * RANDOM_PART * part);
        if (token == Long.MIN_VALUE || Arrays.binarySearch(tokens, token) >= 0) {
          continue;
        }
        double unevenness = unevennessWith(token);
        if (unevenness < bestUnevenness) {
          bestUnevenness = unevenness;
          best = token;
        }
      }
    }
    if (bestUnevenness == Double.MAX_VALUE) {
      throw new IllegalStateException("the ring of " + tokens.length + " tokens has no free one");
    }
    return best;
  }

  private double smallestShareConsidered() {
    if (tokens.length <= RANGES_CONSIDERED) {
      return 0;
    }
    double[] shares = new double[tokens.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = share(i);
    }
    Arrays.sort(shares);
    return shares[shares.length - RANGES_CONSIDERED];
  }

  private double random() {
    return (randomness.nextLong() >>> 11) * 0x1.0p-53;
  }

  /** The token at which a part of the ring ends that begins as the range of an index does. */
  private long token(int index, double part) {
    long before = tokens[index == 0 ? tokens.length - 1 : index - 1];
    return before + ((long) (part * 0x1.0p53) << 11) + (randomness.nextLong() >>> 53);
  }

  private void insert(long token) {
    int at = -Arrays.binarySearch(tokens, token) - 1;
    long[] moreTokens = new long[tokens.length + 1];
    int[] moreOwners = new int[tokens.length + 1];
    System.arraycopy(tokens, 0, moreTokens, 0, at);
    System.arraycopy(owners, 0, moreOwners, 0, at);
    System.arraycopy(tokens, at, moreTokens, at + 1, tokens.length - at);
    System.arraycopy(owners, at, moreOwners, at + 1, tokens.length - at);
    moreTokens[at] = token;
    moreOwners[at] = nodes - 1;
    tokens = moreTokens;
    owners = moreOwners;
  }

  private double unevennessWith(long token) {
    long[] formerTokens = tokens;
    int[] formerOwners = owners;
    insert(token);
    double unevenness = unevenness(1) + (replicas > 1 ? unevenness(replicas) : 0);
    tokens = formerTokens;
    owners = formerOwners;
    return unevenness;
  }

  /** The sum of the squares by which the nodes' shares of all replicas differ from the mean. */
  private double unevenness(int copies) {
    Arrays.fill(owned, 0);
    for (int i = 0; i < tokens.length; i++) {
      double share = share(i);
      Arrays.fill(seen, false);
      int found = 0;
      for (int j = 0; j < tokens.length && found < copies; j++) {
        int owner = owners[(i + j) % tokens.length];
        if (!seen[owner]) {
          seen[owner] = true;
          owned[owner] += share;
          found++;
        }
      }
    }
    double mean = (double) copies / nodes;
    double sum = 0;
    for (double share : owned) {
      sum += (share - mean) * (share - mean);
    }
    return sum / (copies * copies);
  }
}
