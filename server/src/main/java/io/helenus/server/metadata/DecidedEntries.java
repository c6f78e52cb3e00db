package io.helenus.server.metadata;

import io.helenus.storage.env.Scheduler;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the entries that voters have decided to this node's copy of the log, in their order,
 * however often that fails. On the scheduler of the log.
 */
final class DecidedEntries {
  private static final int LIMIT = 4096;
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final Logger LOGGER = LoggerFactory.getLogger(DecidedEntries.class);

  private final LocalMetadataLog local;
  private final Scheduler scheduler;
  private final Consumer<? super @Nullable Decision> applied;
  private final Consumer<? super Exception> fatal;

  /** Values by slot, those of this node's copy excluded. */
  private final TreeMap<Long, byte[]> values = new TreeMap<>();

  private boolean writing;

  /** An entry that may or may not be in the file. */
  private @Nullable Proposal unsettled;

  /**
   * Writes to a log.
   *
   * @param applied called whenever an entry was applied; with null, if a snapshot was installed
   * @param fatal notified if this node cannot follow the log
   */
  DecidedEntries(
      LocalMetadataLog local,
      Scheduler scheduler,
      Consumer<? super @Nullable Decision> applied,
      Consumer<? super Exception> fatal) {
    this.local = local;
    this.scheduler = scheduler;
    this.applied = applied;
    this.fatal = fatal;
  }

  /** The decided value of a slot; null if none is known that is not in the log yet. */
  byte @Nullable [] value(long slot) {
    return values.get(slot);
  }

  /** Whether nothing is to be written. */
  boolean isIdle() {
    return !writing && unsettled == null && !values.containsKey(local.state().index() + 1);
  }

  /** Adds a decided value; {@link #write} follows. */
  void add(long slot, byte[] value) {
    if (slot <= local.state().index()) {
      byte[] before = local.value(slot);
      requireSame(slot, before == null ? value : before, value);
      return;
    }
    if (values.size() < LIMIT || slot == local.state().index() + 1) {
      byte[] before = values.putIfAbsent(slot, value);
      requireSame(slot, before == null ? value : before, value);
    }
  }

  private void requireSame(long slot, byte[] one, byte[] other) {
    if (!Arrays.equals(one, other)) {
      fatal.accept(new MetadataException("two different entries were decided for slot " + slot));
    }
  }

  /** Writes the next entry, if it is known and none is being written. */
  void write() {
    values.headMap(local.state().index(), true).clear();
    Map.Entry<Long, byte[]> first = values.firstEntry();
    if (writing || first == null || first.getKey() != local.state().index() + 1) {
      return;
    }
    Proposal proposal;
    try {
      proposal = ConsensusFormat.proposalOf(first.getValue());
    } catch (NewerReleaseException | IllegalArgumentException | IndexOutOfBoundsException e) {
      fatal.accept(
          new MetadataException(
              "cannot read entry " + first.getKey() + " of the metadata log: " + e.getMessage(),
              e));
      return;
    }
    writing = true;
    if (unsettled == null) {
      local.propose(proposal, new Written(proposal));
    } else {
      local.settle(proposal, new Written(proposal));
    }
  }

  /** Replaces the log by a later state, unless an entry is being written. */
  void install(ClusterState snapshot) {
    if (writing || unsettled != null || snapshot.index() <= local.state().index()) {
      return;
    }
    writing = true;
    local.install(
        snapshot,
        new MetadataLog.ProposalCallback() {
          @Override
          public void decided(Decision decision) {
            writing = false;
            applied.accept(null);
            write();
          }

          @Override
          public void notProposed(Exception cause) {
            writing = false; // it is fetched again
          }

          @Override
          public void unknown(Exception cause) {
            writing = false;
          }
        });
  }

  private final class Written implements MetadataLog.ProposalCallback {
    private final Proposal proposal;

    Written(Proposal proposal) {
      this.proposal = proposal;
    }

    @Override
    public void decided(Decision decision) {
      writing = false;
      unsettled = null;
      applied.accept(decision);
      write();
    }

    @Override
    public void notProposed(Exception cause) {
      writing = false;
      again(cause);
    }

    @Override
    public void unknown(Exception cause) {
      writing = false;
      unsettled = proposal;
      again(cause);
    }

    private void again(Exception cause) {
      LOGGER.warn("cannot write a decided entry of the metadata log, trying again", cause);
      Scheduler.Timer ignored = scheduler.schedule(DecidedEntries.this::write, RETRY_NANOS);
    }
  }
}
