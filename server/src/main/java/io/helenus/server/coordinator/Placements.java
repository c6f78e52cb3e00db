package io.helenus.server.coordinator;

import io.helenus.server.schema.KeyspaceProperties;

/**
 * Looks up the current placement of keyspaces. Implementations belong to one shard and are used on
 * its thread; a lookup is cheap.
 */
public interface Placements {
  /** The placement of a keyspace. */
  Placement of(KeyspaceProperties keyspace);
}
