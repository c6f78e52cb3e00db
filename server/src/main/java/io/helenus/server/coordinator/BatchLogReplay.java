package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes the unfinished logged batches of a shard: those of the node's previous run at start-up,
 * those of this run when they are older than twice the write timeout. Replays one entry at a time,
 * in rounds of bounded size. If a batch cannot be applied, its entry is kept and retried in a later
 * round. Shard thread only.
 */
public final class BatchLogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(BatchLogReplay.class);

  /** The interval between Cassandra's replays. */
  private static final long INTERVAL_NANOS = 10_000_000_000L;

  /** The pause between rounds while entries are left over from the last round. */
  private static final long PAUSE_NANOS = 100_000_000L;

  private static final int ROUND_LIMIT = 1024;

  private final Shard shard;
  private final BatchLogEntries entries;
  private final Clock clock;
  private final BatchLogScan scan;
  private final BatchReplay.Context context;
  private @Nullable Runnable whenCaughtUp;
  private Scheduler.@Nullable Timer timer;
  private boolean stopped;
  private int tried;
  private int kept;
  private String keptBecause = "";

  /** Creates the replay of a shard's batch log; each entry has the timeout of a write. */
  public BatchLogReplay(
      Shard shard,
      LocalBatchLog batchLog,
      ReplicaAccess replicas,
      ReplayTables tables,
      Clock clock,
      Timeouts timeouts) {
    this.shard = shard;
    this.entries = batchLog.entries();
    this.clock = clock;
    this.scan = new BatchLogScan(shard, replicas);
    this.context =
        new BatchReplay.Context(
            shard, replicas, batchLog, tables, new Deadlines(shard, clock, timeouts.writeNanos()));
  }

  /**
   * Runs a first round over the batches left by the previous run, then continues in the background.
   *
   * @param whenFirstRoundEnded called once on the shard's thread; by then, the previous run's
   *     batches are complete, except those that failed or did not fit into one round
   */
  public void start(Runnable whenFirstRoundEnded) {
    whenCaughtUp = whenFirstRoundEnded;
    scan.restart();
    entries.complete();
    round();
  }

  /** Stops after the current entry. */
  public void stop() {
    stopped = true;
    scan.cancel();
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void round() {
    timer = null;
    tried = 0;
    kept = 0;
    if (!scan.isActive() && entries.isIncomplete() && entries.room() >= ROUND_LIMIT) {
      scan.restart();
      entries.complete();
    }
    if (scan.isActive() && entries.room() >= ROUND_LIMIT) {
      scan.nextPage(ROUND_LIMIT, this::remember);
    } else {
      next();
    }
  }

  /**
   * Entries found before the node accepts requests are due at once; later ones may belong to a
   * batch in progress.
   */
  private void remember(List<BatchId> found) {
    long due = whenCaughtUp != null ? clock.nanos() : entries.dueNanos();
    found.forEach(id -> entries.remember(id, due));
    next();
  }

  private void next() {
    BatchId id = entries.firstDue(clock.nanos());
    if (id == null || tried == ROUND_LIMIT || stopped) {
      endRound(id != null);
      return;
    }
    tried++;
    new BatchReplay(
            context, id, clock.wallMicros(), (outcome, reason) -> ended(id, outcome, reason))
        .start();
  }

  private void ended(BatchId id, BatchReplay.Outcome outcome, String reason) {
    switch (outcome) {
      case GONE -> entries.forget(id);
      case KEPT -> {
        kept++;
        keptBecause = reason;
        entries.retryAt(id, clock.nanos() + INTERVAL_NANOS);
      }
      case UNREADABLE -> {
        entries.setAside(id);
        LOG.warn(
            "Batch {} stays in the batch log and is not completed: {}. A version of Helenus that"
                + " can read the entry completes it at start-up",
            id,
            reason);
      }
    }
    shard.execute(this::next);
  }

  private void endRound(boolean moreDue) {
    if (kept > 0) {
      LOG.warn(
          "{} unfinished batches could not be completed and stay in the batch log; retrying in {}"
              + " s. Last failure: {}",
          kept,
          INTERVAL_NANOS / 1_000_000_000L,
          keptBecause);
    }
    Runnable caughtUp = whenCaughtUp;
    if (caughtUp != null) {
      whenCaughtUp = null;
      caughtUp.run();
    }
    if (!stopped) {
      timer =
          shard.schedule(this::round, moreDue || scan.isActive() ? PAUSE_NANOS : INTERVAL_NANOS);
    }
  }
}
