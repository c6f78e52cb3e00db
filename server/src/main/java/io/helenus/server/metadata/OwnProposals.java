package io.helenus.server.metadata;

import io.helenus.server.metadata.MetadataLog.ProposalCallback;
import io.helenus.storage.env.Scheduler;

/**
 * The proposals that a node's log makes itself: joins, registrations and voters. On the scheduler
 * of the log.
 */
final class OwnProposals {
  private static final int ATTEMPTS_LIMIT = 100;

  private final LocalMetadataLog local;
  private final long life;
  private final LogProposals proposals;
  private final Scheduler scheduler;
  private long lastNumber;

  OwnProposals(LocalMetadataLog local, long life, LogProposals proposals, Scheduler scheduler) {
    this.local = local;
    this.life = life;
    this.proposals = proposals;
    this.scheduler = scheduler;
  }

  /** Proposes an entry; again, if it turns out to be void. */
  void propose(MetadataEntry entry, ProposalCallback callback) {
    propose(entry, callback, ATTEMPTS_LIMIT);
  }

  /** Proposes an entry for the next slot only. */
  void proposeOnce(MetadataEntry entry, ProposalCallback callback) {
    propose(entry, callback, 1);
  }

  private void propose(MetadataEntry entry, ProposalCallback callback, int attempts) {
    // Negative numbers are those of the log itself; the others belong to whoever proposes to it.
    ProposalId id = new ProposalId(local.hostId(), life, --lastNumber);
    Proposal proposal = new Proposal(id, local.state().index() + 1, entry);
    proposals.propose(
        proposal,
        new ProposalCallback() {
          @Override
          public void decided(Decision decision) {
            if (decision.outcome() == Outcome.VOID && attempts > 1) {
              scheduler.execute(() -> propose(entry, callback, attempts - 1));
            } else {
              callback.decided(decision);
            }
          }

          @Override
          public void notProposed(Exception cause) {
            callback.notProposed(cause);
          }

          @Override
          public void unknown(Exception cause) {
            callback.unknown(cause);
          }
        });
  }
}
