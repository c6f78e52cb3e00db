package io.helenus.server.ring;

import java.util.UUID;

/** A node as the ring sees it. Immutable. */
public record RingNode(UUID hostId, String datacenter, String rack) {
  /** Of the id alone. */
  @Override
  public int hashCode() {
    return hostId.hashCode();
  }
}
