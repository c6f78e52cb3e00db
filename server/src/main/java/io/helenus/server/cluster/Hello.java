package io.helenus.server.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a node says about itself and the members it knows, at the beginning of each connection
 * between nodes, in both directions. Immutable.
 *
 * @param clusterName {@code cluster_name}
 * @param clusterId the cluster that the node belongs to or has begun to join; null if it is empty
 * @param hostId the node's host id
 * @param life its life: greater than all before, and different in a copy of its data folder
 * @param firstSeed its first seed, as it was given; empty if it has none
 * @param dataCenter its data centre
 * @param node where other nodes reach it
 * @param client where clients reach it
 * @param members the latest addresses of the members it knows
 */
public record Hello(
    String clusterName,
    @Nullable UUID clusterId,
    UUID hostId,
    long life,
    Status status,
    String firstSeed,
    String dataCenter,
    Endpoint node,
    Endpoint client,
    Map<UUID, MemberAddress> members) {

  /** How far a node has come. */
  public enum Status {
    /** It belongs to no cluster, and never tried to. */
    EMPTY,
    /** The same, and it is the first of its own seeds, so that it may found a cluster. */
    FIRST_SEED,
    /** It has begun to join, and may be a member without knowing. */
    JOINING,
    /** It is a member. */
    MEMBER
  }

  /** Keeps an immutable copy. */
  public Hello {
    members = Collections.unmodifiableMap(new TreeMap<>(members));
    if ((clusterId == null) != (status == Status.EMPTY || status == Status.FIRST_SEED)) {
      throw new IllegalArgumentException("a node is empty if it has no cluster id, and only then");
    }
  }

  /** Where the node is reached in this life. */
  public MemberAddress address() {
    return new MemberAddress(node, client, life);
  }

  /** Host id and address, for texts. */
  String who() {
    return hostId + " at " + node;
  }
}
