package io.helenus.storage.engine.local;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.log.LogReplay;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.row.MutationView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the commit logs of earlier starts into memtables, and flushes these. Replay runs on the
 * thread that opens the storage, before the shards run.
 *
 * <ol>
 *   <li>{@link #replay}: each record is applied on the shard of its token, unless its table was
 *       dropped or the manifest records that it has been flushed or truncated. Full memtables are
 *       flushed during the replay.
 *   <li>{@link #begin}: the old logs are synced, because a killed process may not have done so and
 *       an SSTable must not contain writes that the durable part of the log does not; then each
 *       shard flushes its replayed memtables, which cover all of the old logs.
 *   <li>When all shards have flushed them, the old logs are deleted.
 * </ol>
 */
final class Recovery implements LogReplay.Visitor {
  private static final Logger LOGGER = LoggerFactory.getLogger(Recovery.class);
  private final StorageContext context;
  private final Tables tables;
  private final List<ShardEngine> shards;
  private final List<LogFiles.OldLog> logs;
  private final MutationView view = new MutationView();
  private long records;
  private int flushesLeft;
  private boolean synced;
  private boolean skipped;

  Recovery(
      StorageContext context, Tables tables, List<ShardEngine> shards, List<LogFiles.OldLog> logs) {
    this.context = context;
    this.tables = tables;
    this.shards = shards;
    this.logs = logs;
  }

  /** The ids of the logs of earlier starts that may still exist. */
  List<Long> logIds() {
    return logs.stream().map(LogFiles.OldLog::logId).toList();
  }

  void replay() throws IOException {
    FileSystem files = context.files();
    if (context.options().syncMode() != SyncMode.PERIODIC) {
      // in these modes a write must be durable before it is visible
      sync();
    }
    LogReplay.OnDamage onDamage =
        context.options().skipDamagedLog()
            ? LogReplay.OnDamage.reporting(this::skipped)
            : LogReplay.OnDamage.failing();
    for (LogFiles.OldLog log : logs) {
      new LogReplay(files, log, onDamage, LOGGER::warn).run(this);
    }
    if (!logs.isEmpty()) {
      LOGGER.info("Replayed {} records of {} commit logs", records, logs.size());
    }
  }

  private void skipped(String place) {
    skipped = true;
    LOGGER.warn("{}; skipped because of commitlog_skip_damaged", place);
  }

  /** Whether the replay has skipped damaged records. */
  boolean hasSkipped() {
    return skipped;
  }

  private void sync() throws IOException {
    if (!synced) {
      for (LogFiles.OldLog log : logs) {
        for (LogFiles.OldSegment segment : log.segments()) {
          try (FileSystem.File file = context.files().open(segment.path())) {
            file.sync();
          }
        }
      }
      synced = true;
    }
  }

  @Override
  public void record(long logId, long position, MemorySegment segment, long offset, int length) {
    view.wrap(segment, offset, length);
    ShardEngine shard = shards.get(context.shardMap().shardOf(view.token()));
    boolean applied = false;
    while (view.nextTable()) {
      int tableId = view.tableId();
      TableStore store = shard.stores().get(tableId);
      if (store == null) {
        refuseIfUnknown(tableId, logId, position);
      } else if (!context.manifest().isFlushed(tableId, logId, view.token(), position)) {
        shard.recover(store, view);
        applied = true;
      }
    }
    if (applied) {
      records++;
      if (shard.isMemoryFull()) {
        flushOnTheWay(shard);
      }
    }
  }

  private void refuseIfUnknown(int tableId, long logId, long position) {
    if (tableId > tables.lastTableId()) {
      throw new StorageException(
          "commit log "
              + Long.toHexString(logId)
              + " has at offset "
              + LogPosition.offset(position)
              + " of segment "
              + LogPosition.sequence(position)
              + " a write to table "
              + tableId
              + ", which is not in the metadata log; the metadata log of this data folder is"
              + " missing or older than its data");
    }
  }

  private void flushOnTheWay(ShardEngine shard) {
    TableStore largest = shard.stores().largest();
    if (largest != null && largest.switchMemtable(List.of()) != null) {
      try {
        sync();
        largest.flushNow();
      } catch (IOException e) {
        throw new StorageException("cannot replay the commit log: " + e.getMessage(), e);
      }
    }
  }

  /** Starts to flush the replayed memtables, in the background. */
  void begin() {
    if (!logs.isEmpty()) {
      context
          .jobs()
          .runInBackground(
              () -> {
                try {
                  sync();
                } catch (IOException e) {
                  context.jobs().fatal(e);
                  return;
                }
                shards.forEach(shard -> shard.execute(() -> flush(shard)));
              });
    }
  }

  private void flush(ShardEngine shard) {
    for (TableStore store : shard.stores().all()) {
      FrozenMemtable frozen = store.takeReplayed();
      if (frozen != null) {
        began();
        awaitFlush(frozen);
        store.startFlush();
      }
    }
    ended();
  }

  /** Freezes the replayed memtables, before any shard runs. */
  void freeze() {
    flushesLeft = shards.size();
    for (ShardEngine shard : shards) {
      for (TableStore store : shard.stores().all()) {
        store.freezeReplayed(positions(store.tableId(), shard.shard()));
      }
    }
  }

  private List<Change> positions(int tableId, int shard) {
    List<Change> changes = new ArrayList<>();
    long first = context.shardMap().firstToken(shard);
    for (LogFiles.OldLog log : logs) {
      changes.add(
          new Change.Flushed(
              tableId, log.logId(), first, context.jobs().lastToken(shard), LogPosition.ALL));
    }
    return changes;
  }

  private void awaitFlush(FrozenMemtable frozen) {
    frozen.whenFlushed(
        failure -> {
          if (failure == null) {
            ended();
          } else {
            awaitFlush(frozen);
          }
        });
  }

  private synchronized void began() {
    flushesLeft++;
  }

  private void ended() {
    synchronized (this) {
      flushesLeft--;
      if (flushesLeft > 0) {
        return;
      }
    }
    context.jobs().runInBackground(this::deleteLogs);
  }

  private void deleteLogs() {
    try {
      for (LogFiles.OldLog log : logs) {
        LogFiles.delete(context.files(), log);
      }
      context.manifest().forgetLogs(logIds());
    } catch (IOException e) {
      LOGGER.warn("Cannot delete replayed commit logs, will retry at the next start", e);
    }
  }
}
