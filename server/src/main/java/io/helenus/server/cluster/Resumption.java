package io.helenus.server.cluster;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Decides when a member that starts again serves clients: what was decided while it was away is to
 * be known to it. What others have answered to clients is known to all members that were alive, so
 * that a majority, this node among them, has it; nodes that cannot be reached are not waited for. A
 * machine without time or threads.
 */
final class Resumption {
  private final Set<UUID> pending;
  private final Set<UUID> followed = new HashSet<>();
  private final int needed;

  /** Begins; the others are the members by the log of this node, without it. */
  Resumption(Collection<UUID> others) {
    pending = new HashSet<>(others);
    needed = (others.size() + 1) / 2; // with this node, more than half
  }

  /** This node has what a member had of the metadata log when it was asked. */
  void followed(UUID host) {
    pending.remove(host);
    followed.add(host);
  }

  /** A member cannot be reached now, or does not answer. */
  void notReached(UUID host) {
    pending.remove(host);
  }

  /** Whether this node may serve. */
  boolean isOver() {
    return pending.isEmpty() || followed.size() >= needed;
  }
}
