package io.helenus.server.metadata;

import io.helenus.server.ring.TokenAllocation;
import io.helenus.storage.env.Randomness;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The configured identity of this node. On its first start, a node chooses a host id, and tokens
 * unless they are given, which never change.
 *
 * @param tokenCount the number of tokens chosen on the first start ({@code num_tokens})
 * @param initialTokens the tokens of the first start; empty to choose them
 * @param addresses where this node can be reached; null if unknown
 * @param release the version of Helenus that it runs; empty if unknown
 */
public record NodeIdentity(
    String clusterName,
    String dataCenter,
    String rack,
    int tokenCount,
    List<Long> initialTokens,
    @Nullable NodeAddresses addresses,
    String release) {

  /** Copies the list. */
  public NodeIdentity {
    initialTokens = List.copyOf(initialTokens);
  }

  /** A host id, which no other node has. */
  static UUID newHostId(Randomness randomness) {
    return new UUID(
        (randomness.nextLong() & ~0xF000L) | 0x4000L,
        (randomness.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
  }

  /** This node as the first of a cluster. */
  ClusterNode firstNode(UUID hostId, Randomness randomness) {
    long[] tokens =
        initialTokens.isEmpty()
            ? TokenAllocation.firstNode(tokenCount, randomness)
            : initialTokens.stream().mapToLong(Long::longValue).sorted().toArray();
    return new ClusterNode(hostId, dataCenter, rack, tokens, addresses, release);
  }

  /** The proposal with which a node founds its cluster. */
  Proposal founding(UUID hostId, Randomness randomness) {
    return new Proposal(
        new ProposalId(hostId, 0, 1),
        1,
        new MetadataEntry.NodeJoined(firstNode(hostId, randomness), clusterName));
  }

  /**
   * Refuses to start if the cluster name, data center or rack has changed.
   *
   * @param before this node as of the log; null if it is not a member yet
   */
  void requireSame(ClusterState state, @Nullable ClusterNode before) {
    if (state.index() > 0 && !state.clusterName().equals(clusterName)) {
      throw new MetadataException(
          "Saved cluster name "
              + state.clusterName()
              + " != configured name "
              + clusterName
              + ": set cluster_name back, or start with another data folder");
    }
    if (before == null) {
      return;
    }
    if (!before.dataCenter().equals(dataCenter) || !before.rack().equals(rack)) {
      throw new MetadataException(
          "Cannot start node if its data center and rack ("
              + dataCenter
              + ", "
              + rack
              + ") differ from those before ("
              + before.dataCenter()
              + ", "
              + before.rack()
              + "): set them back, or start with another data folder");
    }
  }
}
