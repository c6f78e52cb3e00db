package io.helenus.server.metadata;

import java.util.Arrays;
import java.util.UUID;

/** A member of the cluster. Immutable. */
public final class ClusterNode {
  private final UUID hostId;
  private final String dataCenter;
  private final String rack;
  private final long[] tokens;

  /** Creates a node; sorts a copy of the tokens. */
  public ClusterNode(UUID hostId, String dataCenter, String rack, long[] tokens) {
    this.hostId = hostId;
    this.dataCenter = dataCenter;
    this.rack = rack;
    this.tokens = tokens.clone();
    Arrays.sort(this.tokens);
  }

  /** The id of the node, which never changes. */
  public UUID hostId() {
    return hostId;
  }

  /** Its data centre. */
  public String dataCenter() {
    return dataCenter;
  }

  /** Its rack. */
  public String rack() {
    return rack;
  }

  /** Its tokens, ascending; a copy. */
  public long[] tokens() {
    return tokens.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterNode that
        && hostId.equals(that.hostId)
        && dataCenter.equals(that.dataCenter)
        && rack.equals(that.rack)
        && Arrays.equals(tokens, that.tokens);
  }

  @Override
  public int hashCode() {
    return hostId.hashCode();
  }

  @Override
  public String toString() {
    return hostId + " in " + dataCenter + "/" + rack;
  }
}
