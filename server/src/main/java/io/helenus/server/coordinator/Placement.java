package io.helenus.server.coordinator;

import io.helenus.server.ring.ConsistencyLevel;

/**
 * The placement of one keyspace's partitions on nodes, for one cluster state. Immutable; any
 * thread.
 */
public interface Placement {
  /** The number of replicas that must answer at this level. */
  int required(ConsistencyLevel level);

  /** The number of live replicas of the token that count towards this level. */
  int alive(ConsistencyLevel level, long token);

  /** Whether this node is a replica of the token. */
  boolean isLocal(long token);
}
