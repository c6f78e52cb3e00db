package io.helenus.server.coordinator;

import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.ReplicationOptions;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.Replication;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes and caches the placements of all keyspaces on one ring. A placement is computed once per
 * replication, which several keyspaces may share and which survives changes of their tables. A
 * second cache finds it by keyspace object; every schema change creates a new one. One per ring and
 * shard; shard thread only.
 */
public final class RingPlacements implements Placements {
  /** The caches are cleared when they exceed this size, after many schema changes. */
  private static final int KEPT = 10_000;

  private final TokenRing ring;
  private final RingNode local;
  private final Map<Replication, Placement> byReplication = new HashMap<>();
  private final Map<KeyspaceProperties, Placement> byKeyspace = new IdentityHashMap<>();
  private @Nullable KeyspaceProperties lastKeyspace;
  private @Nullable Placement lastPlacement;

  /** Creates the placements on this ring, as seen from this node. */
  public RingPlacements(TokenRing ring, RingNode local) {
    this.ring = ring;
    this.local = local;
  }

  @Override
  public Placement of(KeyspaceProperties keyspace) {
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
      placement = of(keyspace.replication());
      byKeyspace.put(keyspace, placement);
    }
    lastKeyspace = keyspace;
    lastPlacement = placement;
    return placement;
  }

  private Placement of(Replication replication) {
    Placement placement = byReplication.get(replication);
    if (placement == null) {
      ReplicaMap replicas =
          new ReplicaMap(
              ring, ReplicationOptions.stored(replication.toMap(), ring.nodes().size()), local);
      placement = new RingPlacement(replicas, local);
      byReplication.put(replication, placement);
    }
    return placement;
  }
}
