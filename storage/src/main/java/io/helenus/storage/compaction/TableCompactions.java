package io.helenus.storage.compaction;

import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.merge.PurgeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Picks and starts the compactions of one table of one shard, one at a time. Shard thread only,
 * except {@link #isMerging}.
 */
public final class TableCompactions {
  private static final Logger LOGGER = LoggerFactory.getLogger(TableCompactions.class);

  /** The delay before a retry, long because a failed attempt may have read whole files. */
  private static final long RETRY_NANOS = 60_000_000_000L;

  private final CompactionQueue queue;
  private final CompactedTable store;
  private final List<Consumer<? super Exception>> wholeWaiters = new ArrayList<>();
  private volatile List<OpenFile> merging = List.of();
  private boolean queued;
  private boolean retryPending;

  public TableCompactions(CompactionQueue queue, CompactedTable store) {
    this.queue = queue;
    this.store = store;
  }

  /** Queues the table if it has files to merge. */
  public void consider() {
    if (queued || store.isTruncating() || (retryPending && wholeWaiters.isEmpty())) {
      return;
    }
    if (!wholeWaiters.isEmpty() || !pick().isEmpty()) {
      queued = true;
      queue.context().activity().pending(Kind.COMPACTION, 1);
      queue.add(this);
    }
  }

  /** Merges all files into one; calls back when that is done. */
  public void compactWhole(Consumer<? super Exception> whenDone) {
    wholeWaiters.add(whenDone);
    consider();
    if (!queued && !store.isTruncating()) {
      settle(null);
    }
  }

  /** Whether a file is an input of the running compaction. Any thread. */
  public boolean isMerging(OpenFile file) {
    return merging.contains(file);
  }

  private List<OpenFile> pick() {
    List<OpenFile> mergeable = new ArrayList<>();
    for (OpenFile file : store.files()) {
      if (!file.isShared()) {
        mergeable.add(file);
      }
    }
    if (!wholeWaiters.isEmpty()) {
      return mergeable;
    }
    TableDescriptor table = store.table();
    List<SizeTieredPolicy.Candidate> candidates = new ArrayList<>();
    for (OpenFile file : mergeable) {
      candidates.add(
          new SizeTieredPolicy.Candidate(
              file.live().number(), file.live().sizeBytes(), isVerySmall(file, table)));
    }
    List<Long> picked =
        new SizeTieredPolicy(table.compactionMinThreshold(), table.compactionMaxThreshold())
            .pick(candidates);
    mergeable.removeIf(file -> !picked.contains(file.live().number()));
    return mergeable;
  }

  /**
   * Whether a file is cheap to rewrite. One with large rows may be small only because they compress
   * well; each rewrite takes memory for them. With vectors it builds their graphs again.
   */
  private boolean isVerySmall(OpenFile file, TableDescriptor table) {
    long partition = file.sstable().statistics().largestPartitionBytes();
    return Math.max(file.live().sizeBytes(), partition) < queue.verySmallFileBytes()
        && !table.hasVectors();
  }

  /** Starts the table's next compaction; false if there is nothing to do or no memory for it. */
  public boolean start() {
    List<OpenFile> inputs = List.of();
    boolean possible = !store.isTruncating() && !store.lifecycle().isDropped();
    if (possible) {
      inputs = pick();
    }
    long memory = CompactionJob.expectedMemory(queue.context(), inputs, store.table());
    if (!inputs.isEmpty() && !queue.admits(memory, this)) {
      return false;
    }
    queued = false;
    queue.context().activity().pending(Kind.COMPACTION, -1);
    if (inputs.isEmpty()) {
      if (possible) {
        settle(null);
      }
      return false;
    }
    List<OpenFile> merged = inputs;
    merging = merged;
    boolean whole = !wholeWaiters.isEmpty();
    List<Consumer<? super Exception>> waiters = List.copyOf(wholeWaiters);
    wholeWaiters.clear();
    for (OpenFile input : inputs) {
      input.sstable().retain();
    }
    CompactionJob job =
        new CompactionJob(
            queue.context(),
            store.table(),
            store.lifecycle(),
            merged,
            rules(merged),
            (replaced, made, failure) -> {
              queue.context().jobMemory().exit(memory);
              queue.shard().execute(() -> ended(merged, replaced, made, failure, waiters));
            });
    LOGGER.debug(
        "Compacting {} files of table {}, all: {}", inputs.size(), store.table().id(), whole);
    job.start();
    return true;
  }

  private PurgeRules rules(List<OpenFile> inputs) {
    long nowSeconds = queue.context().nowSeconds();
    long gcBefore = queue.graceRule().gcBeforeSeconds(store.table(), nowSeconds);
    List<Overlap> others = new ArrayList<>();
    for (OpenFile file : store.files()) {
      if (!inputs.contains(file)) {
        var statistics = file.sstable().statistics();
        others.add(
            new Overlap(
                statistics.smallestKey(), statistics.largestKey(), statistics.smallestTimestamp()));
      }
    }
    return new PurgeRules(
        gcBefore, nowSeconds, new Overlaps(store.smallestMemtableTimestamp(), others));
  }

  private void ended(
      List<OpenFile> inputs,
      boolean replaced,
      @Nullable OpenFile made,
      @Nullable Exception failure,
      List<Consumer<? super Exception>> waiters) {
    merging = List.of();
    for (OpenFile input : inputs) {
      input.sstable().release();
    }
    if (failure != null) {
      LOGGER.warn(
          "Compaction of table {} failed, will retry in {} s: {}",
          store.table().id(),
          RETRY_NANOS / 1_000_000_000L,
          failure.getMessage(),
          failure);
    }
    if (replaced) {
      if (store.lifecycle().isDropped()) {
        if (made != null) {
          made.sstable().release();
        }
      } else {
        store.replaceFiles(inputs, made == null ? List.of() : List.of(made));
      }
    }
    for (Consumer<? super Exception> waiter : waiters) {
      waiter.accept(failure);
    }
    queue.ended();
    if (failure == null) {
      consider();
    } else if (!retryPending) {
      retryPending = true;
      Scheduler.Timer ignored = queue.shard().schedule(this::retry, RETRY_NANOS);
    }
  }

  private void retry() {
    retryPending = false;
    if (!store.lifecycle().isDropped()) {
      consider();
    }
  }

  private void settle(@Nullable Exception failure) {
    List<Consumer<? super Exception>> notified = List.copyOf(wholeWaiters);
    wholeWaiters.clear();
    for (Consumer<? super Exception> waiter : notified) {
      waiter.accept(failure);
    }
  }

  /** The table was dropped: calls back the callers that wait for a compaction. */
  public void dropped() {
    settle(null);
  }
}
