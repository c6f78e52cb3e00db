package io.helenus.storage.local;

import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.manifest.LiveFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Truncates tables together:
 *
 * <ol>
 *   <li>Every shard freezes its memtables, reports its log position and suspends flushes and
 *       compactions of the tables.
 *   <li>One edit of the manifest removes all files of the tables and records the position up to
 *       which each log, including those of earlier starts, is skipped in a replay. From then on the
 *       truncation is durable.
 *   <li>Every shard releases the old memtables and files and resumes.
 * </ol>
 *
 * Writes that were logged but not yet visible at step 1 count as later than the truncation. Step 2
 * is skipped if no shard has data of the tables, unless the caller wants the time recorded: earlier
 * truncations or flushes then cover all records of the tables in the logs.
 *
 * <p>A truncation with an epoch is always recorded. From step 1 on, mutations of an earlier epoch
 * have no effect on the tables, whether they were logged before or come later.
 */
final class TruncateCommand {
  private final StorageContext context;
  private final List<ShardEngine> shards;
  private final SortedMap<Integer, TableLifecycle> tables;
  private final Recovery recovery;
  private final long epoch;
  private final Consumer<Exception> whenDone;
  private final List<Change> positions = new ArrayList<>();
  private final List<Map<Integer, List<FrozenMemtable>>> held = new ArrayList<>();
  private int shardsLeft;
  private boolean anything;

  /**
   * Creates the command.
   *
   * @param epoch of the truncation; 0 for none
   */
  TruncateCommand(
      StorageContext context,
      List<ShardEngine> shards,
      SortedMap<Integer, TableLifecycle> tables,
      Recovery recovery,
      long epoch,
      Consumer<Exception> whenDone) {
    this.context = context;
    this.shards = shards;
    this.tables = tables;
    this.recovery = recovery;
    this.epoch = epoch;
    this.whenDone = whenDone;
    this.shardsLeft = shards.size();
  }

  void start(boolean recordIfEmpty) {
    anything = recordIfEmpty || epoch > 0;
    for (int i = 0; i < shards.size(); i++) {
      held.add(Map.of());
    }
    for (long logId : recovery.logIds()) {
      for (int tableId : tables.keySet()) {
        positions.add(
            new Change.Flushed(tableId, logId, Long.MIN_VALUE, Long.MAX_VALUE, LogPosition.ALL));
      }
    }
    for (ShardEngine shard : shards) {
      shard.execute(() -> hold(shard));
    }
  }

  private void hold(ShardEngine shard) {
    Map<Integer, List<FrozenMemtable>> memtables = new HashMap<>();
    boolean holdsAny = false;
    List<Change> current = new ArrayList<>();
    for (int tableId : tables.keySet()) {
      TableStore store = shard.stores().get(tableId);
      if (store != null) {
        store.ignoreBefore(epoch);
        memtables.put(tableId, store.beginTruncation());
        holdsAny |= !store.isEmpty();
        current.addAll(shard.currentPosition(tableId));
      }
    }
    boolean last;
    synchronized (this) {
      held.set(shard.shard(), memtables);
      anything |= holdsAny;
      positions.addAll(current);
      last = --shardsLeft == 0;
    }
    if (last) {
      if (anything) {
        context.jobs().runInBackground(this::commit);
      } else {
        release(Set.of(), null);
      }
    }
  }

  private void commit() {
    List<LiveFile> files;
    try {
      files =
          context
              .manifest()
              .truncate(
                  tables.keySet(),
                  context.jobs().nowMicros(),
                  epoch,
                  List.copyOf(positions),
                  () -> tables.values().forEach(TableLifecycle::truncated));
    } catch (Throwable e) {
      release(Set.of(), context.jobs().contain(e));
      return;
    }
    // the truncation is durable now: a later failure must not be reported as a failed truncation
    Set<Long> removed = new HashSet<>();
    for (LiveFile file : files) {
      removed.add(file.number());
      context.jobs().registry().obsolete(file);
    }
    release(removed, null);
  }

  private void release(Set<Long> removed, @Nullable Exception outcome) {
    Countdown countdown = new Countdown(shards.size(), failed -> whenDone.accept(outcome));
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            Map<Integer, List<FrozenMemtable>> memtables = held.get(shard.shard());
            for (int tableId : tables.keySet()) {
              TableStore store = shard.stores().get(tableId);
              if (store != null) {
                store.endTruncation(outcome == null ? memtables.get(tableId) : null, removed);
              }
            }
            countdown.accept(null);
          });
    }
  }
}
