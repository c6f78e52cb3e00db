package io.helenus.server.coordinator;

import io.helenus.server.schema.KeyspaceSchema;

/** Gives each keyspace its placement as the cluster stands now. Any shard's thread; cheap. */
public interface Placements {
  /** The placement of a keyspace. */
  Placement of(KeyspaceSchema keyspace);
}
