package io.helenus.storage.local;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.log.LogReplay;
import io.helenus.storage.row.MutationView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the commit logs of earlier starts into memtables. Flushes the large ones of these, and
 * copies the records of the small ones to a log of their own. Replay runs on the thread that opens
 * the storage, before the shards run.
 *
 * <ol>
 *   <li>{@link #replay}: each record is applied on the shard of its token, unless its table was
 *       dropped or the manifest records that it has been flushed or truncated. Full memtables are
 *       flushed during the replay. The records of tables that have few are set aside as {@link
 *       KeptRecords}.
 *   <li>{@link #begin}: the old logs are synced; then each shard flushes the replayed memtables
 *       that are not kept, and the kept records are written to their log. If that fails, their
 *       memtables are flushed too.
 *   <li>When all of this is durable, the old logs are deleted.
 * </ol>
 *
 * Until it has been flushed, truncated or dropped, a replayed memtable takes part in everything as
 * any other; a flush or truncation covers the old logs and the kept one, whichever of them exist.
 */
final class Recovery implements LogReplay.Visitor {
  private static final Logger LOGGER = LoggerFactory.getLogger(Recovery.class);
  private final StorageContext context;
  private final Tables tables;
  private final List<ShardEngine> shards;
  private final OldLogs logs;
  private final KeptRecords kept;
  private final MutationView view = new MutationView();
  private long records;
  private boolean keeping;
  private int tasksLeft;
  private boolean skipped;

  Recovery(StorageContext context, Tables tables, List<ShardEngine> shards, OldLogs logs) {
    this.context = context;
    this.tables = tables;
    this.shards = shards;
    this.logs = logs;
    kept = new KeptRecords(context, logs.keptId());
  }

  /** The ids of the logs with records of earlier starts that may exist. */
  List<Long> logIds() {
    return logs.ids();
  }

  void replay() throws IOException {
    FileSystem files = context.files();
    if (context.options().syncMode() != SyncMode.PERIODIC) {
      // in these modes a write must be durable before it is visible
      logs.sync();
    }
    LogReplay.OnDamage onDamage =
        context.options().skipDamagedLog()
            ? LogReplay.OnDamage.reporting(this::skipped)
            : LogReplay.OnDamage.failing();
    for (LogFiles.OldLog log : logs.list()) {
      new LogReplay(files, log, onDamage, LOGGER::warn).run(this);
    }
    if (!logs.list().isEmpty()) {
      LOGGER.info("Replayed {} records of {} commit logs", records, logs.list().size());
    }
    keeping = kept.finish();
    if (keeping) {
      logs.startKeeping();
    }
    kept.replayed().forEach(store -> store.active().replayedFrom(logs));
  }

  private void skipped(String place) {
    skipped = true;
    LOGGER.warn("{}; skipped because of commitlog_skip_damaged", place);
  }

  /** Whether the replay has skipped damaged records. */
  boolean hasSkipped() {
    return skipped;
  }

  @Override
  public void record(long logId, long position, MemorySegment segment, long offset, int length) {
    view.wrap(segment, offset, length);
    boolean applied = false;
    while (view.nextTable()) {
      int tableId = view.tableId();
      ShardEngine shard = shards.get(context.shardMap().shardOf(view.token()));
      TableStore store = shard.stores().get(tableId);
      if (store == null) {
        refuseIfUnknown(tableId, logId, position);
      } else if (store.takes(view)
          && !context.manifest().isFlushed(tableId, logId, view.token(), position)) {
        shard.recover(store, view);
        kept.add(store, view);
        applied = true;
        if (shard.isMemoryFull()) {
          flushOnTheWay(shard);
        }
      }
    }
    if (applied) {
      records++;
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
        logs.sync();
        kept.giveUp(largest);
        largest.flushNow(logs);
      } catch (IOException e) {
        throw new StorageException("cannot replay the commit log: " + e.getMessage(), e);
      }
    }
  }

  /** Starts in the background what makes the old logs unnecessary. */
  void begin() {
    if (!logs.list().isEmpty()) {
      tasksLeft = shards.size() + 1;
      context.jobs().runInBackground(this::sync);
    }
  }

  private void sync() {
    try {
      logs.sync();
    } catch (IOException e) {
      context.jobs().fatal(e);
      return;
    }
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            // those that were to be flushed meanwhile had to wait for the sync
            shard.stores().all().forEach(TableStore::startFlush);
            flush(kept.tables(shard, false));
          });
    }
    if (keeping) {
      keep();
    }
    ended();
  }

  private void keep() {
    try {
      logs.keptIn(kept.write());
    } catch (Throwable e) {
      LOGGER.warn(
          "Cannot copy the records of small memtables to a commit log, flushing them instead",
          context.jobs().contain(e));
      for (ShardEngine shard : shards) {
        began();
        shard.execute(() -> flush(kept.tables(shard, true)));
      }
    }
  }

  private void flush(List<TableStore> stores) {
    for (TableStore store : stores) {
      FrozenMemtable frozen = store.freezeReplayed();
      if (frozen != null) {
        began();
        awaitFlush(frozen);
        store.startFlush();
      }
    }
    ended();
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
    tasksLeft++;
  }

  private void ended() {
    synchronized (this) {
      tasksLeft--;
      if (tasksLeft > 0) {
        return;
      }
    }
    context.jobs().runInBackground(logs::delete);
  }

  /** The size of the logs with records of earlier starts. */
  long logBytes() {
    return logs.sizeBytes();
  }

  /** Deletes the kept log at a stop, when all memtables have been flushed. */
  void deleteKept() throws IOException {
    logs.deleteKept();
  }
}
