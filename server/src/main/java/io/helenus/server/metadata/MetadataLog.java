package io.helenus.server.metadata;

import java.util.Set;
import java.util.UUID;

/**
 * An ordered, durable log of {@link MetadataEntry}s and the state resulting from them. Any thread.
 * Callbacks run on the scheduler that the log was opened with, in the order of the entries. A log
 * without other members has nobody to tell how far it was followed, and nobody to wait for.
 */
public interface MetadataLog extends AutoCloseable {
  /** Receives what became of a proposal, once. */
  interface ProposalCallback {
    /**
     * The proposal is in the log, durably; or it is void, as another entry is in its slot, and will
     * never be in it.
     */
    void decided(Decision decision);

    /** The proposal is not in the log and never will be; nothing has changed. */
    void notProposed(Exception cause);

    /**
     * The proposal may or may not be in the log. Nothing else can be proposed until {@link #settle}
     * has found out.
     */
    void unknown(Exception cause);
  }

  /** Notified of each entry when it is applied. */
  interface Follower {
    /**
     * The entry was applied and resulted in this state. Each index is one above that of the entry
     * before.
     */
    void applied(long index, Proposal proposal, ClusterState state);

    /**
     * The log goes on with this state, after entries that this node has missed. The next entry is
     * the one after it.
     */
    void replaced(ClusterState state);

    /** The log cannot supply the entries after the index that it was asked for; none follow. */
    void refused(MetadataException cause);
  }

  /** Learns which other members have followed an entry, each once, until it is over. */
  interface Watch {
    /** A member has followed the entry, its storage included. */
    void followed(UUID member);

    /** A member has died before it was known to have followed; it will when it is back. */
    void lost(UUID member);

    /** Whether nobody wants to know any more. Any thread. */
    boolean isOver();
  }

  /** The latest state known to this node. */
  ClusterState state();

  /** Appends a proposal. */
  void propose(Proposal proposal, ProposalCallback callback);

  /**
   * Finishes the slot of a proposal whose outcome is unknown: afterwards it is in the log, or
   * another entry is in its slot.
   */
  void settle(Proposal proposal, ProposalCallback callback);

  /**
   * Notifies a follower of every entry after an index: first of the retained ones, then of new ones
   * as they are applied. It is refused if an entry after the index was rolled off, as it then needs
   * a {@link #snapshot}, and if the index is beyond the end of the log.
   */
  void readFrom(long afterIndex, Follower follower);

  /** The encoded state, for a member that is too far behind to follow entries. */
  byte[] snapshot();

  /** The host ids of the members that take part in the log. */
  default Set<UUID> members() {
    return state().nodes().keySet();
  }

  /**
   * This node, its storage included, has followed the log up to an index: what it has applied is
   * visible to its clients. On the scheduler of the log.
   */
  default void followed(long index) {}

  /**
   * Continues when each member that is alive has followed the log up to an index, or after a bound.
   * On the scheduler of the log.
   */
  default void whenFollowed(long index, Runnable then) {
    then.run();
  }

  /** Watches each other member follow the log up to an index. On the scheduler of the log. */
  default void watch(long index, Watch watch) {}

  /** Closes the log; waiting proposals are not proposed. */
  @Override
  void close();
}
