package io.helenus.storage.local;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.manifest.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit logs of earlier starts, and the kept log: the one to which the records of small
 * memtables are copied from them at this start. Any thread, except that one thread at a time may
 * sync and delete.
 */
final class OldLogs {
  private static final Logger LOGGER = LoggerFactory.getLogger(OldLogs.class);
  private final StorageContext context;
  private final List<LogFiles.OldLog> logs;
  private final long keptId;
  private volatile boolean keeping;
  private volatile boolean durable;
  private volatile boolean deleted;
  private volatile LogFiles.@Nullable OldLog kept;
  private final long foundBytes;
  private volatile long keptBytes;

  OldLogs(StorageContext context, List<LogFiles.OldLog> logs, long keptId) throws IOException {
    this.context = context;
    this.logs = logs;
    this.keptId = keptId;
    this.durable = logs.isEmpty();
    this.foundBytes = sizeBytes(logs);
  }

  private long sizeBytes(List<LogFiles.OldLog> of) throws IOException {
    long bytes = 0;
    for (LogFiles.OldLog log : of) {
      for (LogFiles.OldSegment segment : log.segments()) {
        try (FileSystem.File file = context.files().open(segment.path())) {
          bytes += file.size();
        }
      }
    }
    return bytes;
  }

  /** The size of the logs that have not been deleted. */
  long sizeBytes() {
    return (deleted ? 0 : foundBytes) + keptBytes;
  }

  List<LogFiles.OldLog> list() {
    return logs;
  }

  long keptId() {
    return keptId;
  }

  /** The ids of all logs with records of earlier starts that may exist. */
  List<Long> ids() {
    List<Long> ids = new ArrayList<>();
    if (!deleted) {
      logs.forEach(log -> ids.add(log.logId()));
    }
    if (keeping) {
      ids.add(keptId);
    }
    return ids;
  }

  /** What an SSTable with everything that was replayed for a table of a shard covers. */
  List<Change> positions(int tableId, int shard) {
    long first = context.shardMap().firstToken(shard);
    long last = context.jobs().lastToken(shard);
    List<Change> changes = new ArrayList<>();
    for (long logId : ids()) {
      changes.add(new Change.Flushed(tableId, logId, first, last, LogPosition.ALL));
    }
    return changes;
  }

  /**
   * Syncs the logs of earlier starts, because a killed process may not have done so and an SSTable
   * must not contain writes that the durable part of the log does not.
   */
  void sync() throws IOException {
    if (durable) {
      return;
    }
    for (LogFiles.OldLog log : logs) {
      for (LogFiles.OldSegment segment : log.segments()) {
        try (FileSystem.File file = context.files().open(segment.path())) {
          file.sync();
        }
      }
    }
    durable = true;
  }

  /** Whether the logs of earlier starts exist no longer. */
  boolean areDeleted() {
    return deleted;
  }

  boolean areDurable() {
    return durable;
  }

  /** The kept log will be written: from now on SSTables and truncations cover it too. */
  void startKeeping() {
    keeping = true;
  }

  /** The kept log is durable. */
  void keptIn(LogFiles.OldLog log) throws IOException {
    kept = log;
    keptBytes = sizeBytes(List.of(log));
  }

  /**
   * Deletes the logs of earlier starts, whose records are all in SSTables, truncated, or in the
   * kept log.
   */
  void delete() {
    List<Long> ids = new ArrayList<>();
    try {
      for (LogFiles.OldLog log : logs) {
        LogFiles.delete(context.files(), log);
        ids.add(log.logId());
      }
      deleted = true;
      context.manifest().forgetLogs(ids);
    } catch (IOException e) {
      LOGGER.warn("Cannot delete replayed commit logs, will retry at the next start", e);
    }
  }

  /** Deletes the kept log at a stop at which all memtables have been flushed. */
  void deleteKept() throws IOException {
    LogFiles.OldLog written = kept;
    if (written != null) {
      LogFiles.delete(context.files(), written);
    }
  }
}
