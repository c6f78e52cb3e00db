package io.helenus.storage.engine.local;

import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.manifest.LiveFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Truncates a table:
 *
 * <ol>
 *   <li>Every shard freezes its memtables, reports its log position and suspends flushes and
 *       compactions of the table.
 *   <li>One edit of the manifest removes all files of the table and records the position up to
 *       which each log, including those of earlier starts, is skipped in a replay. From then on the
 *       truncation is durable.
 *   <li>Every shard releases the old memtables and files and resumes.
 * </ol>
 *
 * Writes that were logged but not yet visible at step 1 count as later than the truncation. Step 2
 * is skipped if no shard has data of the table, unless the caller wants the time recorded: an
 * earlier truncation or flush then covers all records of the table in the logs.
 */
final class TruncateCommand {
  private final StorageContext context;
  private final List<ShardEngine> shards;
  private final int tableId;
  private final TableLifecycle lifecycle;
  private final Recovery recovery;
  private final Consumer<Exception> whenDone;
  private final List<Change> positions = new ArrayList<>();
  private final List<@Nullable List<FrozenMemtable>> held = new ArrayList<>();
  private int shardsLeft;
  private boolean anything;

  TruncateCommand(
      StorageContext context,
      List<ShardEngine> shards,
      int tableId,
      TableLifecycle lifecycle,
      Recovery recovery,
      Consumer<Exception> whenDone) {
    this.context = context;
    this.shards = shards;
    this.tableId = tableId;
    this.lifecycle = lifecycle;
    this.recovery = recovery;
    this.whenDone = whenDone;
    this.shardsLeft = shards.size();
  }

  void start(boolean recordIfEmpty) {
    anything = recordIfEmpty;
    for (int i = 0; i < shards.size(); i++) {
      held.add(null);
    }
    for (long logId : recovery.logIds()) {
      positions.add(flushed(logId, LogPosition.ALL));
    }
    for (ShardEngine shard : shards) {
      shard.execute(() -> hold(shard));
    }
  }

  private Change flushed(long logId, long position) {
    return new Change.Flushed(tableId, logId, Long.MIN_VALUE, Long.MAX_VALUE, position);
  }

  private void hold(ShardEngine shard) {
    TableStore store = shard.stores().get(tableId);
    List<FrozenMemtable> memtables = store == null ? null : store.beginTruncation();
    boolean last;
    synchronized (this) {
      held.set(shard.shard(), memtables);
      if (store != null) {
        anything |= !store.isEmpty();
        positions.addAll(shard.currentPosition(tableId));
      }
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
                  tableId,
                  context.jobs().nowMicros(),
                  List.copyOf(positions),
                  lifecycle::truncated);
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
            TableStore store = shard.stores().get(tableId);
            if (store != null) {
              store.endTruncation(outcome == null ? held.get(shard.shard()) : null, removed);
            }
            countdown.accept(null);
          });
    }
  }
}
