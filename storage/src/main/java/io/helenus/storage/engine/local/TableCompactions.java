package io.helenus.storage.engine.local;

import io.helenus.storage.compaction.SizeTieredPolicy;
import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.read.PurgeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compactions of one table of one shard: one at a time. Shard thread only. */
final class TableCompactions {
  private static final Logger LOGGER = LoggerFactory.getLogger(TableCompactions.class);

  /** Between a failure and the next attempt: what failed may have read whole files in vain. */
  private static final long RETRY_NANOS = 60_000_000_000L;

  private final ShardEngine shard;
  private final TableStore store;
  private final List<Consumer<? super Exception>> wholeWaiters = new ArrayList<>();
  private boolean queued;
  private boolean retryPending;

  TableCompactions(ShardEngine shard, TableStore store) {
    this.shard = shard;
    this.store = store;
  }

  /** Asks for a turn if there is something to merge. */
  void consider() {
    if (queued || store.isHeld() || (retryPending && wholeWaiters.isEmpty())) {
      return;
    }
    if (!wholeWaiters.isEmpty() || !pick().isEmpty()) {
      queued = true;
      shard.context().activity().pending(Kind.COMPACTION, 1);
      shard.queueCompaction(this);
    }
  }

  /** Merges all files into one; runs when that is done. */
  void compactWhole(Consumer<? super Exception> whenDone) {
    wholeWaiters.add(whenDone);
    consider();
    if (!queued && !store.isHeld()) {
      settle(null);
    }
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
      candidates.add(new SizeTieredPolicy.Candidate(file.live().number(), file.live().sizeBytes()));
    }
    List<Long> picked =
        new SizeTieredPolicy(table.compactionMinThreshold(), table.compactionMaxThreshold())
            .pick(candidates);
    mergeable.removeIf(file -> !picked.contains(file.live().number()));
    return mergeable;
  }

  /** It is this table's turn; false if there is nothing to do after all. */
  boolean start() {
    queued = false;
    shard.context().activity().pending(Kind.COMPACTION, -1);
    if (store.isHeld() || store.life().isDropped()) {
      return false;
    }
    List<OpenFile> inputs = pick();
    if (inputs.isEmpty()) {
      settle(null);
      return false;
    }
    boolean whole = !wholeWaiters.isEmpty();
    List<Consumer<? super Exception>> waiters = List.copyOf(wholeWaiters);
    wholeWaiters.clear();
    for (OpenFile input : inputs) {
      input.sstable().retain();
    }
    CompactionJob job =
        new CompactionJob(
            shard.context(),
            store.table(),
            store.life(),
            inputs,
            rules(inputs),
            (replaced, made, failure) ->
                shard.execute(() -> ended(inputs, replaced, made, failure, waiters)));
    LOGGER.debug("table {}: merging {} files, whole {}", store.tableId(), inputs.size(), whole);
    job.start();
    return true;
  }

  private PurgeRules rules(List<OpenFile> inputs) {
    long nowSeconds = shard.context().nowSeconds();
    long gcBefore = shard.context().graceRule().gcBeforeSeconds(store.table(), nowSeconds);
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
    for (OpenFile input : inputs) {
      input.sstable().release();
    }
    if (failure != null) {
      LOGGER.warn(
          "Compaction of table {} failed; it is retried in {} s: {}",
          store.tableId(),
          RETRY_NANOS / 1_000_000_000L,
          failure.getMessage(),
          failure);
    }
    if (replaced) {
      if (store.life().isDropped()) {
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
    shard.compactionEnded();
    if (failure == null) {
      consider();
    } else if (!retryPending) {
      retryPending = true;
      shard.schedule(this::retry, RETRY_NANOS);
    }
  }

  private void retry() {
    retryPending = false;
    if (!store.life().isDropped()) {
      consider();
    }
  }

  private void settle(@Nullable Exception failure) {
    List<Consumer<? super Exception>> told = List.copyOf(wholeWaiters);
    wholeWaiters.clear();
    for (Consumer<? super Exception> waiter : told) {
      waiter.accept(failure);
    }
  }

  void dropped() {
    settle(null);
  }
}
