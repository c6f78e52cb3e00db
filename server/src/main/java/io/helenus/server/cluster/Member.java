package io.helenus.server.cluster;

import java.util.UUID;

/**
 * A member of the cluster as this node sees it: who it is, and whether it answers. One object for
 * as long as this node runs, whatever becomes of the member, so that what was computed from the
 * ring need not be computed again when a node goes down. Any thread; only the failure detection
 * changes it.
 */
public final class Member {
  private final UUID hostId;
  private final int index;
  private final boolean local;
  private volatile boolean up;
  private volatile long heardNanos;

  Member(UUID hostId, int index, boolean local) {
    this.hostId = hostId;
    this.index = index;
    this.local = local;
    this.up = local;
  }

  /** Its host id. */
  public UUID hostId() {
    return hostId;
  }

  /** Its number among all that this node has met; small, and different for each. */
  public int index() {
    return index;
  }

  /** Whether it is this node. */
  public boolean isLocal() {
    return local;
  }

  /** Whether requests may be sent to it. */
  public boolean isUp() {
    return up;
  }

  /** Records that it answers, or does not; ignored for this node, which does. */
  public void up(boolean value) {
    up = local || value;
  }

  /** Something has arrived from it, at this time of a monotonic clock. */
  void heard(long nanos) {
    heardNanos = nanos;
  }

  /** When something last arrived from it; 0 if nothing has. */
  long heardNanos() {
    return heardNanos;
  }

  @Override
  public String toString() {
    return hostId + (up ? " (up)" : " (down)");
  }
}
