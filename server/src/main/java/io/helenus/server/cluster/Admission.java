package io.helenus.server.cluster;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node that has said Hello may stay connected. Stateless and pure; asked by both sides of
 * a connection, each about the other.
 */
public final class Admission {
  /** For how long after it was heard the other life of a host keeps a new one out. */
  public static final long ALIVE_NANOS = 2_000_000_000L;

  private Admission() {}

  /**
   * Why a node is refused; null if it is not. A node that meets itself is not refused: it finds out
   * by the life in the answer.
   *
   * @param own what this node says
   * @param peer what the other node has said
   * @param connectedLife the life of the peer's host that is connected; 0 if none is
   * @param silentNanos for how long that one has not been heard. A host that was cut from power and
   *     is back is refused at first, until the links to its former life are silent for {@link
   *     #ALIVE_NANOS}; then the driver closes those
   */
  public static @Nullable Refusal check(
      Hello own, Hello peer, long connectedLife, long silentNanos) {
    if (!own.clusterName().equals(peer.clusterName())) {
      return new Refusal(Refusal.Kind.CLUSTER_NAME, otherName(own, peer.clusterName()));
    }
    UUID ownCluster = own.clusterId();
    UUID peerCluster = peer.clusterId();
    if (ownCluster != null && peerCluster != null && !ownCluster.equals(peerCluster)) {
      return new Refusal(Refusal.Kind.CLUSTER_ID, otherCluster(own, peerCluster));
    }
    if (peer.hostId().equals(own.hostId())) {
      return peer.life() == own.life()
          ? null
          : new Refusal(Refusal.Kind.SAME_HOST, sameHost(own.hostId(), own.node()));
    }
    MemberAddress known = own.members().get(peer.hostId());
    if (known != null && known.life() > peer.life()) {
      return new Refusal(Refusal.Kind.OLDER_LIFE, olderLife(peer.hostId(), known.node()));
    }
    if (connectedLife != 0 && connectedLife != peer.life() && silentNanos < ALIVE_NANOS) {
      Endpoint at = known == null ? peer.node() : known.node();
      return new Refusal(Refusal.Kind.HOST_ALIVE, sameHost(peer.hostId(), at));
    }
    return null;
  }

  /** For the node that runs into one of another name. */
  static String otherName(Hello other, String ownName) {
    return "the cluster of "
        + other.node()
        + " is called "
        + other.clusterName()
        + ", not "
        + ownName
        + ": correct cluster_name or the seeds";
  }

  /** For the node that runs into a member of another cluster. */
  static String otherCluster(Hello other, UUID ownCluster) {
    return other.node()
        + " belongs to cluster "
        + other.clusterId()
        + ", the data folder of this node to cluster "
        + ownCluster
        + ": correct the seeds, or start with another data folder";
  }

  /** For the node whose host id has been started later. */
  static String olderLife(UUID hostId, Endpoint at) {
    return "node "
        + hostId
        + " has been started since, at "
        + at
        + ": the data folder of this node is a copy, or was set back; start it with the latest"
        + " folder of that node, or with an empty one";
  }

  /** For the node whose host id is in use. */
  static String sameHost(UUID hostId, Endpoint at) {
    return "node "
        + hostId
        + " is running at "
        + at
        + ": the data folder of this node is a copy of its folder; stop one of the two, and start"
        + " this node with an empty folder";
  }
}
