package io.helenus.server.metadata;

import java.util.Set;
import java.util.UUID;

/**
 * An ordered, durable log of {@link MetadataEntry}s and the state resulting from them. Any thread.
 * Callbacks run on the scheduler that the log was opened with, in the order of the entries.
 */
public interface MetadataLog extends AutoCloseable {
  /**
   * A proposed entry.
   *
   * @param proposer the host id of the proposing node
   * @param number assigned by the proposer in increasing order. A number not greater than the
   *     proposer's last applied one has been applied already, so a retry has no effect
   * @param basedOn the epoch of the schema that the entry was validated against; -1 if it does not
   *     depend on the schema
   */
  record Proposal(UUID proposer, long number, long basedOn, MetadataEntry entry) {}

  /** The outcome of a proposal. */
  enum Outcome {
    /** The entry has changed the state. */
    APPLIED,
    /** The proposal had been applied before. */
    REPEATED,
    /**
     * The schema has changed since the epoch that the proposal is based on: validate again and
     * propose again.
     */
    STALE
  }

  /** Receives the outcome of a proposal, once. */
  interface ProposalCallback {
    /** The proposal was decided; an applied one is durable and included in the state. */
    void decided(Outcome outcome, ClusterState state);

    /**
     * The proposal may or may not become durable; it can be proposed again with the same number.
     */
    void failed(Exception cause);
  }

  /** Notified of each entry when it is applied. */
  interface Follower {
    /** The entry was applied and resulted in this state. */
    void applied(long index, Proposal proposal, ClusterState state);
  }

  /** The latest state known to this node. */
  ClusterState state();

  /** Appends a proposal. */
  void propose(Proposal proposal, ProposalCallback callback);

  /**
   * Notifies a follower of every entry after an index: first of the retained ones, then of new ones
   * as they are applied.
   */
  void readFrom(long afterIndex, Follower follower);

  /** The encoded state, for a member that is too far behind to follow entries. */
  byte[] snapshot();

  /** The host ids of the members that take part in the log. */
  Set<UUID> members();

  /** Closes the log; undecided proposals fail. */
  @Override
  void close();
}
