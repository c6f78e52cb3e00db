package io.helenus.storage.local;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.manifest.Manifest;
import io.helenus.storage.row.ShareId;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the id of this node's counter shares, when the first increment after a start needs it.
 *
 * <p>An increment replaces the node's share of a counter by one with a higher clock. If the node
 * has lost the latest shares of its log, such a replacement would not contain the lost increments,
 * and would supersede the copies of them elsewhere. So the id of the previous run is used again
 * only if that run cannot have lost any: it synced each record before it was acknowledged, or was
 * stopped in an orderly way. Any thread.
 */
final class CounterShareClaim {
  private static final Logger LOGGER = LoggerFactory.getLogger(CounterShareClaim.class);

  private final Randomness randomness;
  private final boolean mayLoseRecords;
  private volatile @Nullable ShareId id;

  CounterShareClaim(Randomness randomness, SyncMode mode) {
    this.randomness = randomness;
    this.mayLoseRecords = mode == SyncMode.PERIODIC;
  }

  /** The id, once it has been determined. */
  @Nullable ShareId id() {
    return id;
  }

  /** Determines the id in the background, then calls back on a shard. */
  void claim(JobContext jobs, Scheduler shard, Consumer<? super Exception> whenDone) {
    jobs.io()
        .execute(
            () -> {
              if (jobs.running().enter()) {
                try {
                  Exception failure = claim(jobs);
                  shard.execute(() -> whenDone.accept(failure));
                } finally {
                  jobs.running().exit();
                }
              }
            });
  }

  private synchronized @Nullable Exception claim(JobContext jobs) {
    if (id != null) {
      return null;
    }
    Change.CounterShare last = jobs.manifest().counterShare();
    ShareId safe = last == null || last.atRisk() ? null : last.id();
    ShareId claimed =
        safe == null ? new ShareId(randomness.nextLong(), randomness.nextLong()) : safe;
    try {
      if (safe == null || mayLoseRecords) {
        jobs.manifest().commit(List.of(new Change.CounterShare(claimed, mayLoseRecords)));
      }
    } catch (Throwable e) {
      return jobs.contain(e);
    }
    id = claimed;
    return null;
  }

  /** Records that the replay has skipped damaged records, before any shard runs. */
  static void recordsLost(Manifest manifest) throws IOException {
    Change.CounterShare last = manifest.counterShare();
    if (last != null && !last.atRisk()) {
      manifest.commit(List.of(new Change.CounterShare(last.id(), true)));
    }
  }

  /**
   * Records that no increments are lost: the logs have been synced, and nothing writes any more.
   */
  void stopped(Manifest manifest) {
    ShareId claimed = id;
    if (claimed == null || !mayLoseRecords) {
      return;
    }
    try {
      manifest.commit(List.of(new Change.CounterShare(claimed, false)));
    } catch (IOException e) {
      LOGGER.warn("The next start will use a new id for counter shares", e);
    }
  }
}
