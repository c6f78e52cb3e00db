package io.helenus.server.coordinator;

import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.RingNode;
import java.util.List;

/**
 * The placement of a keyspace on the ring; all nodes are assumed to be alive. Immutable; any
 * thread.
 */
public final class RingPlacement implements Placement {
  private final ReplicaMap replicas;
  private final RingNode local;

  /** Creates the placement from a keyspace's replicas, as seen from this node. */
  public RingPlacement(ReplicaMap replicas, RingNode local) {
    this.replicas = replicas;
    this.local = local;
  }

  @Override
  public int required(ConsistencyLevel level) {
    return replicas.blockFor(level);
  }

  @Override
  public int alive(ConsistencyLevel level, long token) {
    List<RingNode> nodes = replicas.replicas(token);
    if (!level.isDatacenterLocal()) {
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
