package io.helenus.server.coordinator;

import io.helenus.server.cluster.Members;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.ReplicationOptions;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The placements of all keyspaces in the present cluster state: a request that begins after a
 * change of the state is placed by the new one, whatever state it was planned in. A placement is
 * computed once per ring and replication, which several keyspaces may share and which survives
 * changes of tables; then it is found by the keyspace's object, without allocation. One per shard;
 * shard thread only.
 */
public final class RingPlacements implements Placements {
  /** The caches are cleared when they exceed this size, after many schema changes. */
  private static final int KEPT = 10_000;

  private final Supplier<ClusterState> states;
  private final Members members;
  private final UUID hostId;

  /** The state that everything below belongs to. */
  private ClusterState state;

  private RingNode local;
  private final Map<Replication, Placement> byReplication = new HashMap<>();
  private final Map<KeyspaceProperties, Placement> byKeyspace = new IdentityHashMap<>();
  private @Nullable KeyspaceProperties lastKeyspace;
  private @Nullable Placement lastPlacement;

  /**
   * Creates the placements as seen from a node.
   *
   * @param states the present state; any thread
   * @param members the objects for the members; the local one is a member of the state
   */
  public RingPlacements(Supplier<ClusterState> states, Members members) {
    this.states = states;
    this.members = members;
    this.hostId = members.local().hostId();
    this.state = states.get();
    ClusterNode self = state.node(hostId);
    if (self == null) {
      throw new IllegalStateException("this node is not a member: " + hostId);
    }
    this.local = place(self);
  }

  private static RingNode place(ClusterNode node) {
    return new RingNode(node.hostId(), node.dataCenter(), node.rack());
  }

  @Override
  public Placement of(KeyspaceProperties keyspace) {
    ClusterState present = states.get();
    if (present != state) {
      follow(present);
    }
    Placement last = lastPlacement;
    if (keyspace.equals(lastKeyspace) && last != null) {
      return last;
    }
    Placement placement = byKeyspace.get(keyspace);
    if (placement == null) {
      if (byKeyspace.size() >= KEPT) {
        byKeyspace.clear();
        byReplication.clear();
      }
      placement = of(replication(keyspace));
      byKeyspace.put(keyspace, placement);
    }
    lastKeyspace = keyspace;
    lastPlacement = placement;
    return placement;
  }

  private void follow(ClusterState present) {
    TokenRing before = state.ring();
    state = present;
    byKeyspace.clear();
    lastKeyspace = null;
    lastPlacement = null;
    if (present.ring() != before) {
      byReplication.clear();
      ClusterNode self = present.node(hostId);
      // a node that has been removed is a replica of nothing
      local = self == null ? local : place(self);
    }
  }

  /** As it is now, which a statement that was planned before may not know. */
  private Replication replication(KeyspaceProperties keyspace) {
    KeyspaceSchema present = state.schema().keyspace(keyspace.name());
    return present == null ? keyspace.replication() : present.replication();
  }

  private Placement of(Replication replication) {
    Placement placement = byReplication.get(replication);
    if (placement == null) {
      TokenRing ring = state.ring();
      ReplicaMap replicas =
          new ReplicaMap(
              ring, ReplicationOptions.stored(replication.toMap(), ring.nodes().size()), local);
      placement = new RingPlacement(replicas, local, members);
      byReplication.put(replication, placement);
    }
    return placement;
  }
}
