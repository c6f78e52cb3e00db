package io.helenus.server.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of every range of a ring under one strategy, computed once. Immutable; any thread;
 * lookups allocate nothing.
 */
public final class ReplicaMap {
  private final TokenRing ring;
  private final ReplicationStrategy strategy;
  private final List<List<RingNode>> byIndex;

  /** The replicas of all ranges if they are the same, as on a single node: saves the search. */
  private final @Nullable List<RingNode> everywhere;

  private final int[] blockFor;

  /**
   * Computes the replicas of every range.
   *
   * @param local this node, the only replica under the local strategy
   */
  public ReplicaMap(TokenRing ring, ReplicationStrategy strategy, RingNode local) {
    this.ring = ring;
    this.strategy = strategy;
    List<List<RingNode>> all = new ArrayList<>(ring.size());
    for (int i = 0; i < ring.size(); i++) {
      all.add(List.copyOf(strategy.replicas(ring, i, local)));
    }
    this.byIndex = List.copyOf(all);
    this.everywhere = Set.copyOf(all).size() == 1 ? all.getFirst() : null;
    ConsistencyLevel[] levels = ConsistencyLevel.values();
    this.blockFor = new int[levels.length];
    for (ConsistencyLevel level : levels) {
      blockFor[level.ordinal()] = level.blockFor(strategy, local.datacenter());
    }
  }

  /** The replicas of a token, the owner of its range first; immutable. */
  public List<RingNode> replicas(long token) {
    return everywhere == null ? byIndex.get(ring.indexOf(token)) : everywhere;
  }

  /** The number of replicas that a level waits for, as seen from the local node. */
  public int blockFor(ConsistencyLevel level) {
    return blockFor[level.ordinal()];
  }

  /** The ring. */
  public TokenRing ring() {
    return ring;
  }

  /** The strategy. */
  public ReplicationStrategy strategy() {
    return strategy;
  }
}
