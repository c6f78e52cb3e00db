package io.helenus.server.coordinator;

import io.helenus.server.ring.ConsistencyLevel;

/** Where the partitions of one keyspace live, as of one cluster state. Immutable; any thread. */
public interface Placement {
  /** How many replicas must answer at this level. */
  int required(ConsistencyLevel level);

  /** How many replicas of the token that count at this level are alive. */
  int alive(ConsistencyLevel level, long token);

  /** Whether this node is a replica of the token. */
  boolean isLocal(long token);
}
