package io.helenus.server.coordinator;

import io.helenus.server.cluster.Member;
import io.helenus.server.cluster.Members;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.ReplicationStrategy;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The placement of a keyspace on the ring. Ranges that have the same replicas, in whatever order
 * the ring names them, have the same {@link ReplicaSet}: which of them is the first matters to
 * nobody but this node. Immutable; any thread.
 */
public final class RingPlacement implements Placement {
  private final TokenRing ring;
  private final ReplicaMap replicas;
  private final ReplicaSet[] byIndex;
  private final String datacenter;

  private final ReplicaSet all;

  /** Whether all ranges have the same replicas, as on a single node: saves the search. */
  private final boolean uniform;

  /**
   * Creates the placement from a keyspace's replicas.
   *
   * @param local this node
   * @param members the objects for the nodes of the ring
   */
  public RingPlacement(ReplicaMap replicas, RingNode local, Members members) {
    this.ring = replicas.ring();
    this.replicas = replicas;
    this.datacenter = local.datacenter();
    Map<Set<RingNode>, ReplicaSet> sets = new HashMap<>();
    byIndex = new ReplicaSet[ring.size()];
    for (int i = 0; i < byIndex.length; i++) {
      List<RingNode> ordered = localFirst(replicas.replicas(ring.tokenAt(i)), local);
      byIndex[i] = sets.computeIfAbsent(Set.copyOf(ordered), same -> set(ordered, local, members));
    }
    uniform = sets.size() == 1;
    all = uniform ? byIndex[0] : union(sets.keySet(), local, members);
  }

  private static ReplicaSet union(Set<Set<RingNode>> sets, RingNode local, Members members) {
    Set<RingNode> all = new LinkedHashSet<>();
    sets.forEach(all::addAll);
    return set(localFirst(List.copyOf(all), local), local, members);
  }

  private static List<RingNode> localFirst(List<RingNode> nodes, RingNode local) {
    List<RingNode> ordered = new ArrayList<>(nodes.size());
    for (RingNode node : nodes) {
      ordered.add(node.hostId().equals(local.hostId()) ? 0 : ordered.size(), node);
    }
    return ordered;
  }

  private static ReplicaSet set(List<RingNode> nodes, RingNode local, Members members) {
    List<Member> ordered = new ArrayList<>(nodes.size());
    int near = 0;
    for (RingNode node : nodes) {
      near |= node.datacenter().equals(local.datacenter()) ? 1 << ordered.size() : 0;
      ordered.add(members.of(node.hostId()));
    }
    return new ReplicaSet(ordered, near);
  }

  @Override
  public int required(ConsistencyLevel level) {
    return replicas.blockFor(level);
  }

  /** All nodes are in that of this node. */
  @Override
  public @Nullable String datacenter(ConsistencyLevel level) {
    return level == ConsistencyLevel.EACH_QUORUM
            && replicas.strategy() instanceof ReplicationStrategy.NetworkTopology
        ? datacenter
        : null;
  }

  @Override
  public ReplicaSet replicas(long token) {
    return uniform ? all : byIndex[ring.indexOf(token)];
  }

  @Override
  public ReplicaSet everywhere() {
    return all;
  }

  @Override
  public long lastWithSameReplicas(long token) {
    if (uniform) {
      return Long.MAX_VALUE;
    }
    int index = ring.indexOf(token);
    if (token > ring.tokenAt(ring.size() - 1)) {
      return Long.MAX_VALUE;
    }
    ReplicaSet first = byIndex[index];
    while (index + 1 < byIndex.length && byIndex[index + 1] == first) {
      index++;
    }
    boolean wraps = index == byIndex.length - 1 && byIndex[0] == first;
    return wraps ? Long.MAX_VALUE : ring.tokenAt(index);
  }
}
