package io.helenus.server.internode;

import java.net.InetSocketAddress;
import java.util.UUID;

/**
 * What a node says about itself when a link begins. Immutable.
 *
 * @param clusterId the id of its cluster; zeros ({@link #NO_CLUSTER}) if it has none yet
 * @param clusterName the name of its cluster
 * @param hostId the id of the node, never used by another
 * @param life grows with each start of the node
 * @param shards how many shards it has
 * @param maxMessageBytes the largest body of a message that it accepts
 * @param broadcast where other nodes reach it, with an IP address
 * @param client where clients reach it, with an IP address
 */
public record NodeIdentity(
    UUID clusterId,
    String clusterName,
    UUID hostId,
    long life,
    int shards,
    int maxMessageBytes,
    InetSocketAddress broadcast,
    InetSocketAddress client) {
  /** The cluster id of a node that has not joined a cluster. */
  public static final UUID NO_CLUSTER = new UUID(0, 0);

  /** Refuses addresses that are names only, which other nodes could not use. */
  public NodeIdentity {
    if (broadcast.isUnresolved() || client.isUnresolved()) {
      throw new IllegalArgumentException("not resolved: " + broadcast + ", " + client);
    }
  }

  /** Whether this is the same run of the same node. */
  public boolean isSameRun(NodeIdentity other) {
    return hostId.equals(other.hostId) && life == other.life;
  }
}
