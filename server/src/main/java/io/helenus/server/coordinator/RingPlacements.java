package io.helenus.server.coordinator;

import io.helenus.server.ring.ReplicaMap;
import io.helenus.server.ring.ReplicationOptions;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceSchema;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The placements of all keyspaces on one ring, worked out when a keyspace is first asked for; a
 * changed keyspace is another object and so another entry. One per shard; shard thread only.
 */
public final class RingPlacements implements Placements {
  /** Beyond this many, after many schema changes, all is worked out anew. */
  private static final int KEPT = 10_000;

  private final TokenRing ring;
  private final RingNode local;
  private final Map<KeyspaceSchema, Placement> placements = new IdentityHashMap<>();
  private @Nullable KeyspaceSchema lastKeyspace;
  private @Nullable Placement lastPlacement;

  /** On this ring, seen from this node. */
  public RingPlacements(TokenRing ring, RingNode local) {
    this.ring = ring;
    this.local = local;
  }

  @Override
  public Placement of(KeyspaceSchema keyspace) {
    Placement last = lastPlacement;
    if (keyspace.equals(lastKeyspace) && last != null) {
      return last;
    }
    Placement placement = placements.get(keyspace);
    if (placement == null) {
      if (placements.size() >= KEPT) {
        placements.clear();
      }
      ReplicaMap replicas =
          new ReplicaMap(
              ring,
              ReplicationOptions.stored(keyspace.replication().toMap(), ring.nodes().size()),
              local);
      placement = new RingPlacement(replicas, local);
      placements.put(keyspace, placement);
    }
    lastKeyspace = keyspace;
    lastPlacement = placement;
    return placement;
  }
}
