package io.helenus.server.system;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of the other members of the cluster beyond the metadata log, and the traffic
 * between it and them. Any thread; returned values do not change. Counts are since the node
 * started.
 */
public interface ClusterFacts {
  /** Those of a node that is alone, or has not heard of any other member yet. */
  ClusterFacts ALONE =
      new ClusterFacts() {
        @Override
        public Peer peer(UUID hostId) {
          return Peer.UNKNOWN;
        }

        @Override
        public Traffic traffic() {
          return Traffic.NONE;
        }
      };

  /** What is known of another member; {@link Peer#UNKNOWN} for one that was never heard of. */
  Peer peer(UUID hostId);

  /** What links to and from other members have carried. */
  Traffic traffic();

  /**
   * What is known of another member. What it has said itself remains as it was when it goes down.
   *
   * @param isUp whether the failure detector takes it for alive
   * @param isServing whether it serves clients
   * @param phi how likely it is down, by the phi accrual failure detector; NaN if it was never
   *     heard of
   * @param generation when it started, in seconds since 1970; 0 if unknown
   * @param heartbeat the number of its last heartbeat; 0 if unknown
   * @param loadBytes the size of its SSTables; -1 if unknown
   * @param schemaVersion the version of the schema that it has applied; null if unknown
   * @param broadcast where it is reached by other nodes; null for what the metadata log says
   * @param clients where it is reached by clients; null for what the metadata log says
   */
  record Peer(
      boolean isUp,
      boolean isServing,
      double phi,
      int generation,
      long heartbeat,
      long loadBytes,
      @Nullable UUID schemaVersion,
      @Nullable InetSocketAddress broadcast,
      @Nullable InetSocketAddress clients) {
    /** A member that was not heard of since this node started. */
    public static final Peer UNKNOWN =
        new Peer(false, false, Double.NaN, 0, 0, -1, null, null, null);
  }

  /**
   * The messages of one kind.
   *
   * @param pending those that wait to be sent
   * @param completed those that were sent
   * @param dropped those that were given up before they were sent
   */
  record Messages(long pending, long completed, long dropped) {
    /** No messages. */
    public static final Messages NONE = new Messages(0, 0, 0);
  }

  /**
   * What all links have carried in both directions, heartbeats included in bytes only.
   *
   * @param open the links to others that are open now, one for each shard and member
   * @param dropped messages that were not sent, because a limit was reached
   * @param late requests that were not carried out because their time was over, and replies that
   *     nobody waited for any more
   * @param connections how often a link was opened, in either direction
   */
  record LinkTotals(
      int open,
      long bytesIn,
      long bytesOut,
      long messagesIn,
      long messagesOut,
      long dropped,
      long late,
      long connections) {
    /** Nothing was carried. */
    public static final LinkTotals NONE = new LinkTotals(0, 0, 0, 0, 0, 0, 0, 0);
  }

  /**
   * What was sent to other members, and what reads have repaired on them.
   *
   * <p>Of pending messages only the bytes are known, which are bounded; their number is 0.
   *
   * @param large requests and replies that are too large to share a frame with others
   * @param small other requests and replies
   * @param gossip heartbeats and entries of the metadata log
   * @param readRepairs the read repairs that were started
   * @param blockingMismatches reads whose replicas differed before the client was answered
   * @param backgroundMismatches reads whose replicas turned out to differ after that
   * @param droppedByType requests that were dropped on arrival, because their time was over, by the
   *     names of Cassandra's messages
   * @param links the same by what links count
   */
  record Traffic(
      Messages large,
      Messages small,
      Messages gossip,
      long readRepairs,
      long blockingMismatches,
      long backgroundMismatches,
      Map<String, Long> droppedByType,
      LinkTotals links) {
    /** Nothing was sent. */
    public static final Traffic NONE =
        new Traffic(
            Messages.NONE, Messages.NONE, Messages.NONE, 0, 0, 0, Map.of(), LinkTotals.NONE);
  }
}
