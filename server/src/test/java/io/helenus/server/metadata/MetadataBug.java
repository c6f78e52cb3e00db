package io.helenus.server.metadata;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A planted bug of a node that proposes entries of the metadata log. */
public enum MetadataBug {
  /**
   * A proposer asks the voters that were the first it has known in its life, whatever the entries
   * since name, and counts their promises only. Voters change while a cluster forms: from its
   * founder to three members, and to five.
   */
  FORMER_VOTERS {
    @Override
    public MetadataLog in(MetadataLog log) {
      ((ReplicatedMetadataLog) log).deciding(new FirstVoters());
      return log;
    }
  },

  /**
   * A change whose slot another entry has taken is proposed for the next one as it was planned,
   * instead of being planned again.
   */
  STALE_PROPOSAL {
    @Override
    public MetadataLog in(MetadataLog log) {
      return new Retrying(log);
    }
  };

  /**
   * Plants the bug in the log of a node that is one of several, before it has proposed anything.
   */
  public abstract MetadataLog in(MetadataLog log);

  private static final class FirstVoters implements Function<ClusterState, List<UUID>> {
    private List<UUID> first = List.of();

    @Override
    public List<UUID> apply(ClusterState state) {
      if (first.isEmpty()) {
        first = state.voters();
      }
      return first;
    }
  }

  private static final class Retrying implements MetadataLog {
    /** Those who propose count from 1, those of the log itself from -1 down. */
    private static final long FIRST_NUMBER = 1L << 32;

    private final MetadataLog log;
    private long lastNumber = FIRST_NUMBER;

    /** The last proposal of a change. */
    private @Nullable Proposal latest;

    Retrying(MetadataLog log) {
      this.log = log;
    }

    @Override
    public void propose(Proposal proposal, ProposalCallback callback) {
      latest = proposal;
      log.propose(
          proposal,
          new ProposalCallback() {
            @Override
            public void decided(Decision decision) {
              if (decision.outcome() == Outcome.VOID) {
                propose(again(proposal), callback);
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

    private Proposal again(Proposal stale) {
      ProposalId id = new ProposalId(stale.id().proposer(), stale.id().life(), ++lastNumber);
      return new Proposal(id, log.state().index() + 1, stale.entry());
    }

    @Override
    public void settle(Proposal proposal, ProposalCallback callback) {
      Proposal proposed = latest;
      log.settle(proposed == null ? proposal : proposed, callback);
    }

    @Override
    public ClusterState state() {
      return log.state();
    }

    @Override
    public void readFrom(long afterIndex, Follower follower) {
      log.readFrom(afterIndex, follower);
    }

    @Override
    public byte[] snapshot() {
      return log.snapshot();
    }

    @Override
    public void followed(long index) {
      log.followed(index);
    }

    @Override
    public void whenFollowed(long index, Runnable then) {
      log.whenFollowed(index, then);
    }

    @Override
    public void watch(long index, Watch watch) {
      log.watch(index, watch);
    }

    @Override
    public void close() {
      log.close();
    }
  }
}
