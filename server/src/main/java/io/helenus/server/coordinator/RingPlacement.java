package io.helenus.server.coordinator;

import io.helenus.server.protocol.Consistency;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.RingNode;
import java.util.List;

/** A keyspace's placement on the ring; all nodes are taken to be alive. Immutable; any thread. */
public final class RingPlacement implements Placement {
  private final ReplicaMap replicas;
  private final RingNode local;
  private final int[] required = new int[Consistency.values().length];
  private final boolean[] datacenterLocal = new boolean[required.length];

  /** By the replicas of a keyspace, seen from this node. */
  public RingPlacement(ReplicaMap replicas, RingNode local) {
    this.replicas = replicas;
    this.local = local;
    for (Consistency level : Consistency.values()) {
      ConsistencyLevel ringLevel = ConsistencyLevel.valueOf(level.name());
      required[level.ordinal()] = replicas.blockFor(ringLevel);
      datacenterLocal[level.ordinal()] = ringLevel.isDatacenterLocal();
    }
  }

  @Override
  public int required(Consistency level) {
    return required[level.ordinal()];
  }

  @Override
  public int alive(Consistency level, long token) {
    List<RingNode> nodes = replicas.replicas(token);
    if (!datacenterLocal[level.ordinal()]) {
      return nodes.size();
    }
    int alive = 0;
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).datacenter().equals(local.datacenter())) {
        alive++;
      }
    }
    return alive;
  }

  @Override
  public boolean isLocal(long token) {
    List<RingNode> nodes = replicas.replicas(token);
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).equals(local)) {
        return true;
      }
    }
    return false;
  }
}
