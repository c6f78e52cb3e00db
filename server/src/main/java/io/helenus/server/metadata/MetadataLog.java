package io.helenus.server.metadata;

import java.util.Set;
import java.util.UUID;

/**
 * An ordered, durable log of {@link MetadataEntry}s and the state that it yields. Any thread.
 * Callbacks come on the scheduler that the log was opened with, in the order of the entries.
 */
public interface MetadataLog extends AutoCloseable {
  /**
   * Something to append.
   *
   * @param proposer who proposes
   * @param number of the proposer, rising: one that is not greater than its last applied one has
   *     been applied already, so a retry changes nothing
   * @param basedOn the epoch of the schema that it was validated against; -1 where it needs none
   */
  record Proposal(UUID proposer, long number, long basedOn, MetadataEntry entry) {}

  /** What became of a proposal. */
  enum Outcome {
    /** It has changed the state. */
    APPLIED,
    /** It had been applied before. */
    REPEATED,
    /** The schema had changed since what it was based on: validate anew and propose again. */
    STALE
  }

  /** Told once what became of a proposal. */
  interface ProposalCallback {
    /** It is durable, and the state is what it has made. */
    void decided(Outcome outcome, ClusterState state);

    /** It may or may not become durable; it can be proposed again under the same number. */
    void failed(Exception cause);
  }

  /** Told of each entry as it is applied. */
  interface Follower {
    /** This entry has made this state. */
    void applied(long index, Proposal proposal, ClusterState state);
  }

  /** The state as far as it is known here. */
  ClusterState state();

  /** Appends a proposal. */
  void propose(Proposal proposal, ProposalCallback callback);

  /** Tells of every entry after an index: those still held first, then new ones as they come. */
  void readFrom(long afterIndex, Follower follower);

  /** The state as bytes: what a member that is far behind starts from. */
  byte[] snapshot();

  /** Who takes part in the log. */
  Set<UUID> members();

  /** Ends it; what was proposed and is not decided fails. */
  @Override
  void close();
}
