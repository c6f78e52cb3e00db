package io.helenus.server.coordinator;

import io.helenus.server.ring.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/**
 * The placement of one keyspace's partitions on nodes, for one cluster state. Immutable; any
 * thread.
 */
public interface Placement {
  /** The number of replicas that must answer at this level. */
  int required(ConsistencyLevel level);

  /**
   * The data centre that errors of a level name: one of those in each of which replicas must
   * answer; null for other levels and strategies.
   */
  default @Nullable String datacenter(ConsistencyLevel level) {
    return null;
  }

  /** The replicas of a token; those of several tokens are the same object if they are the same. */
  ReplicaSet replicas(long token);

  /** All nodes that are a replica of any token. */
  ReplicaSet everywhere();

  /**
   * The last token after this one, or this one, up to which all tokens between have replicas that
   * {@link #replicas} returns for this one.
   */
  long lastWithSameReplicas(long token);
}
