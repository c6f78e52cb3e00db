package io.helenus.server.coordinator;

import io.helenus.server.metrics.RequestKind;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that enough replicas are alive for a request, and says which these are. One per shard,
 * shard thread only: what it says is about the request that was admitted last, until the next one
 * is checked.
 */
final class Admission {
  private final Placements placements;
  private final ShardMetrics metrics;
  private ReplicaSet replicas = new ReplicaSet(List.of(), 0);
  private int live;
  private int required;

  Admission(Placements placements, ShardMetrics metrics) {
    this.placements = placements;
    this.metrics = metrics;
  }

  /**
   * Checks that enough replicas of a token are alive. If too few are, the failure is reported to
   * the callback.
   *
   * @param kind what to count the request as; null if it is a part of one
   */
  boolean admit(
      @Nullable RequestKind kind,
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel level,
      FailureCallback callback) {
    Placement placement = placements.of(keyspace);
    replicas = placement.replicas(token);
    live = replicas.live();
    required = placement.required(level);
    int alive = alive(replicas, live, level);
    if (alive >= required) {
      return true;
    }
    if (kind != null) {
      metrics.unavailable(kind);
    }
    callback.failed(Failures.unavailable(level, placement, required, alive));
    return false;
  }

  /** The same for what only works yet where this node is the only replica. */
  boolean admitLocal(
      RequestKind kind,
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel level,
      LocalOnly what,
      FailureCallback callback) {
    if (!placements.of(keyspace).replicas(token).isLocalOnly()) {
      callback.failed(what.error());
      return false;
    }
    return admit(kind, keyspace, token, level, callback);
  }

  /** How many replicas that are up count towards a level. */
  static int alive(ReplicaSet replicas, ConsistencyLevel level) {
    return alive(replicas, replicas.live(), level);
  }

  private static int alive(ReplicaSet replicas, int live, ConsistencyLevel level) {
    return Integer.bitCount(level.isDatacenterLocal() ? live & replicas.near() : live);
  }

  /** The placement of a keyspace. */
  Placement placement(KeyspaceProperties keyspace) {
    return placements.of(keyspace);
  }

  /** The replicas of the request. */
  ReplicaSet replicas() {
    return replicas;
  }

  /** Those that are up, a bit for each. */
  int live() {
    return live;
  }

  /** How many must answer. */
  int required() {
    return required;
  }
}
