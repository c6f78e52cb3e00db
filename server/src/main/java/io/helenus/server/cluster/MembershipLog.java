package io.helenus.server.cluster;

import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What forming a cluster needs of the metadata log of this node. On the thread of the home shard,
 * where outcomes arrive too, in later tasks.
 */
public interface MembershipLog {
  /** Receives the outcome of a join, once. */
  interface Joining {
    /** This node is a member, and the entry that says so is durable here. */
    void joined();

    /** An entry says that this node is refused. */
    void refused(String reason);

    /** Neither is known yet. */
    void unknown(String reason);
  }

  /** The cluster that the log belongs to; that of an empty log must not be asked for. */
  UUID clusterId();

  /** Whether the log belongs to a cluster. */
  boolean hasCluster();

  /** Whether a node is a member by the log. */
  boolean isMember(UUID host);

  /** The addresses of the members by the log. */
  Map<UUID, MemberAddress> members();

  /** Begins a cluster with this node; null, or why it failed. */
  void found(Consumer<@Nullable String> whenDone);

  /** Follows the log of a member, from a node that has none or an older part; null, or why not. */
  void fetch(UUID from, Consumer<@Nullable String> whenDone);

  /** Proposes this node as a member. */
  void join(Joining whenDone);
}
