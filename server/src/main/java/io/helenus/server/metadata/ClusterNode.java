package io.helenus.server.metadata;

import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A member of the cluster. Immutable. */
public final class ClusterNode {
  private final UUID hostId;
  private final String dataCenter;
  private final String rack;
  private final long[] tokens;
  private final @Nullable NodeAddresses addresses;
  private final String release;

  /** A node that has not registered where it is; sorts a copy of the tokens. */
  public ClusterNode(UUID hostId, String dataCenter, String rack, long[] tokens) {
    this(hostId, dataCenter, rack, tokens, null, "");
  }

  /**
   * Creates a node; sorts a copy of the tokens.
   *
   * @param addresses where it can be reached; null if unknown
   * @param release the version of Helenus that it runs; empty if unknown
   */
  public ClusterNode(
      UUID hostId,
      String dataCenter,
      String rack,
      long[] tokens,
      @Nullable NodeAddresses addresses,
      String release) {
    this.hostId = hostId;
    this.dataCenter = dataCenter;
    this.rack = rack;
    this.tokens = tokens.clone();
    this.addresses = addresses;
    this.release = release;
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

  /** Where it can be reached, as it registered last; null if it has not. */
  public @Nullable NodeAddresses addresses() {
    return addresses;
  }

  /** The version of Helenus that it registered last; empty if it has not. */
  public String release() {
    return release;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterNode that
        && hostId.equals(that.hostId)
        && dataCenter.equals(that.dataCenter)
        && rack.equals(that.rack)
        && Arrays.equals(tokens, that.tokens)
        && Objects.equals(addresses, that.addresses)
        && release.equals(that.release);
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
