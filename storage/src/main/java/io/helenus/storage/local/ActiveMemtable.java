package io.helenus.storage.local;

import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.row.MutationView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memtable of a table in a shard that takes its writes, what of the log is needed for it, and
 * the tokens in it. Shard thread only, except {@link #bytes}, which may be slightly out of date.
 */
final class ActiveMemtable {
  private static final long NOTHING_LOGGED = LogPosition.ALL;

  private final ShardEngine shard;
  private TableDescriptor table;
  private Memtable memtable;
  private long bytes;
  private long firstPosition = NOTHING_LOGGED;

  /** From where on the memtable needs the log: records before it have been copied. */
  private long logPosition = NOTHING_LOGGED;

  private long firstToken = Long.MAX_VALUE;
  private long lastToken = Long.MIN_VALUE;

  /** The logs from which the memtable has been replayed; null if it holds nothing of them. */
  private @Nullable OldLogs replayedFrom;

  ActiveMemtable(ShardEngine shard, TableDescriptor table) {
    this.shard = shard;
    this.table = table;
    memtable = shard.newMemtable(table);
  }

  /** The table has other indexes: the next memtable has them, and this one if it is empty. */
  void tableChanged(TableDescriptor changed) {
    table = changed;
    if (memtable.isEmpty()) {
      memtable.release();
      memtable = shard.newMemtable(changed);
    }
  }

  Memtable memtable() {
    return memtable;
  }

  boolean isEmpty() {
    return memtable.isEmpty();
  }

  /** What it takes of the memory for memtables. */
  long bytes() {
    return bytes;
  }

  /** The position of the first record. */
  long firstPosition() {
    return firstPosition;
  }

  /** The position from which on it needs the log. */
  long logPosition() {
    return logPosition;
  }

  /** What it needs of the log before a position has been copied to the log's end. */
  void logCopied(long end) {
    logPosition = Math.max(logPosition, end);
  }

  /** Records at start-up that it has been replayed from these logs. */
  void replayedFrom(OldLogs logs) {
    replayedFrom = logs;
  }

  /** Whether it holds anything that has been replayed. */
  boolean isReplayed() {
    return replayedFrom != null;
  }

  /**
   * Applies the entries of the view's current table. A negative position means that the record is
   * not from the current log.
   */
  void apply(MutationView view, long sequence, long position) {
    memtable.apply(view, sequence);
    if (firstPosition == NOTHING_LOGGED && position >= 0) {
      firstPosition = position;
      logPosition = position;
    }
    long token = view.token();
    if (token < firstToken) {
      firstToken = token;
    }
    if (token > lastToken) {
      lastToken = token;
    }
    long size = memtable.memoryBytes();
    if (size != bytes) {
      shard.activeBytesChanged(size - bytes);
      bytes = size;
    }
  }

  /**
   * Freezes the memtable and goes on with a new one. The positions are those that its SSTable will
   * cover, besides the logs from which it was replayed.
   */
  FrozenMemtable freeze(List<Change> positions) {
    memtable.freeze();
    List<Change> covered = new ArrayList<>(positions);
    if (replayedFrom != null) {
      covered.addAll(replayedFrom.positions(table.id(), shard.shard()));
    }
    FrozenMemtable old =
        new FrozenMemtable(
            memtable,
            logPosition,
            firstPosition == NOTHING_LOGGED ? LogPosition.START : shard.insertedPosition(),
            firstToken,
            lastToken,
            covered,
            replayedFrom);
    shard.activeBytesChanged(-bytes);
    shard.frozenBytesChanged(old.bytes);
    memtable = shard.newMemtable(table);
    bytes = 0;
    replayedFrom = null;
    firstPosition = NOTHING_LOGGED;
    logPosition = NOTHING_LOGGED;
    firstToken = Long.MAX_VALUE;
    lastToken = Long.MIN_VALUE;
    return old;
  }

  /** Releases it, because the table was dropped. */
  void drop() {
    shard.activeBytesChanged(-bytes);
    bytes = 0;
    firstPosition = NOTHING_LOGGED;
    logPosition = NOTHING_LOGGED;
    memtable.release();
  }
}
