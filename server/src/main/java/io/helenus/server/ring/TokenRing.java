package io.helenus.server.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Maps tokens to nodes. A key belongs to the first token of the ring that is not smaller than its
 * own token; keys after the last token belong to the first. Immutable; any thread; {@link #indexOf}
 * allocates nothing.
 */
public final class TokenRing {
  private final long[] tokens;
  private final RingNode[] owners;
  private final List<RingNode> nodes;

  private TokenRing(long[] tokens, RingNode[] owners, List<RingNode> nodes) {
    this.tokens = tokens;
    this.owners = owners;
    this.nodes = nodes;
  }

  /**
   * The ring of nodes and their tokens.
   *
   * @throws IllegalArgumentException if two nodes have the same token
   */
  public static TokenRing of(Map<RingNode, long[]> tokensByNode) {
    SortedMap<Long, RingNode> sorted = new TreeMap<>();
    for (Map.Entry<RingNode, long[]> entry : tokensByNode.entrySet()) {
      for (long token : entry.getValue()) {
        RingNode other = sorted.put(token, entry.getKey());
        if (other != null) {
          throw new IllegalArgumentException(
              "token " + token + " belongs to " + other + " and to " + entry.getKey());
        }
      }
    }
    long[] tokens = new long[sorted.size()];
    RingNode[] owners = new RingNode[tokens.length];
    int at = 0;
    for (Map.Entry<Long, RingNode> entry : sorted.entrySet()) {
      tokens[at] = entry.getKey();
      owners[at++] = entry.getValue();
    }
    return new TokenRing(tokens, owners, List.copyOf(tokensByNode.keySet()));
  }

  /** The number of tokens. */
  public int size() {
    return tokens.length;
  }

  /** The nodes, in the original order. */
  public List<RingNode> nodes() {
    return nodes;
  }

  /** The names of the datacenters with nodes. */
  public Set<String> datacenters() {
    Set<String> names = new LinkedHashSet<>();
    for (RingNode node : nodes) {
      names.add(node.datacenter());
    }
    return names;
  }

  /** The number of nodes in a datacenter. */
  public int nodeCount(String datacenter) {
    int count = 0;
    for (RingNode node : nodes) {
      count += node.datacenter().equals(datacenter) ? 1 : 0;
    }
    return count;
  }

  /** The token at an index, in ascending order. */
  public long tokenAt(int index) {
    return tokens[index];
  }

  /** The owner of the token at an index. */
  public RingNode ownerAt(int index) {
    return owners[index];
  }

  /** The index of the ring's token that a key's token belongs to. The ring must not be empty. */
  public int indexOf(long token) {
    int found = Arrays.binarySearch(tokens, token);
    if (found >= 0) {
      return found;
    }
    int insertion = -found - 1;
    return insertion == tokens.length ? 0 : insertion;
  }

  /** The range that ends at the token with an index. */
  public TokenRange rangeAt(int index) {
    return new TokenRange(tokens[index == 0 ? tokens.length - 1 : index - 1], tokens[index]);
  }

  /** All ranges, in ascending order of their right ends. */
  public List<TokenRange> ranges() {
    List<TokenRange> ranges = new ArrayList<>(tokens.length);
    for (int i = 0; i < tokens.length; i++) {
      ranges.add(rangeAt(i));
    }
    return ranges;
  }

  /** The tokens of one node, ascending. */
  public long[] tokensOf(RingNode node) {
    long[] found = new long[tokens.length];
    int count = 0;
    for (int i = 0; i < tokens.length; i++) {
      if (owners[i].equals(node)) {
        found[count++] = tokens[i];
      }
    }
    return Arrays.copyOf(found, count);
  }
}
