package io.helenus.server.metadata;

import io.helenus.server.ring.TokenAllocation;
import io.helenus.storage.env.Randomness;
import java.util.UUID;

/**
 * What the configuration says of this node; on its first start a host id and tokens are drawn,
 * which it keeps for ever.
 *
 * @param tokenCount how many tokens it takes on its first start ({@code num_tokens})
 */
public record NodeIdentity(String clusterName, String dataCenter, String rack, int tokenCount) {

  /** This node as the first of its cluster. */
  ClusterNode firstNode(Randomness randomness) {
    UUID hostId =
        new UUID(
            (randomness.nextLong() & ~0xF000L) | 0x4000L,
            (randomness.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
    return new ClusterNode(
        hostId, dataCenter, rack, TokenAllocation.firstNode(tokenCount, randomness));
  }

  /** Refuses to start under another name, or elsewhere, than before. */
  void requireSame(ClusterState state, ClusterNode before) {
    if (!state.clusterName().equals(clusterName)) {
      throw new MetadataException(
          "Saved cluster name "
              + state.clusterName()
              + " != configured name "
              + clusterName
              + ": set cluster_name back, or start with another data folder");
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
