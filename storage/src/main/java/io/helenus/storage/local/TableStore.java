package io.helenus.storage.local;

import io.helenus.storage.compaction.CompactedTable;
import io.helenus.storage.compaction.TableCompactions;
import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.TableContents;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.sstable.Sstable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One table of one shard: its memtables and files and their life cycle. Shard thread only, except
 * {@link #statistics} and {@link #fileStatistics}.
 *
 * <p>Memtables are flushed one after the other, oldest first, because a flush records in the
 * manifest that all writes up to a log position are in SSTables. During a truncation nothing is
 * flushed or compacted.
 */
final class TableStore implements CompactedTable {
  private final ShardEngine shard;
  private final TableLifecycle lifecycle;
  private TableDescriptor table;
  private final ActiveMemtable active;
  private final ArrayDeque<FrozenMemtable> frozen = new ArrayDeque<>();
  private final List<OpenFile> files = new ArrayList<>();
  private TableSources sources;

  private boolean flushing;
  private boolean flushRetryPending;
  private boolean truncating;

  /** Mutations of an earlier epoch have no effect on the table. */
  private long firstEpoch;

  private boolean anyShared;
  private final FileStatistics fileStatistics = new FileStatistics();
  private final TableCompactions compactions;

  /** The logs whose records may be in files without being recorded as flushed; null if none. */
  private @Nullable OldLogs replayedAgain;

  private final TableIndexes indexes;

  TableStore(ShardEngine shard, TableDescriptor table, TableLifecycle lifecycle) {
    this.shard = shard;
    this.table = table;
    this.lifecycle = lifecycle;
    active = new ActiveMemtable(shard, table);
    compactions = new TableCompactions(shard.compactions(), this);
    indexes = new TableIndexes(shard, this);
    firstEpoch = shard.context().manifest().truncationEpoch(table.id());
    List<Memtable> memtables = List.of(active.memtable());
    sources =
        new TableSources(table, memtables, List.of(), indexes.sources(table, memtables, List.of()));
  }

  int tableId() {
    return table.id();
  }

  @Override
  public TableDescriptor table() {
    return table;
  }

  @Override
  public TableLifecycle lifecycle() {
    return lifecycle;
  }

  TableSources sources() {
    return sources;
  }

  @Override
  public List<OpenFile> files() {
    return files;
  }

  TableCompactions compactions() {
    return compactions;
  }

  @Override
  public boolean isTruncating() {
    return truncating;
  }

  /** Whether some files hold rows of other shards too. */
  boolean hasSharedFiles() {
    return anyShared;
  }

  /** The memtable that takes the writes. */
  ActiveMemtable active() {
    return active;
  }

  /** Whether a mutation was planned after the last truncation of the table by the cluster. */
  boolean takes(MutationView mutation) {
    return firstEpoch == 0 || mutation.epoch() >= firstEpoch;
  }

  /** Mutations of an earlier epoch have no effect on the table from now on. */
  void ignoreBefore(long epoch) {
    firstEpoch = Math.max(firstEpoch, epoch);
  }

  /** Applies the entries of the view's current table. */
  void apply(MutationView view, long sequence, long position) {
    active.apply(view, sequence, position);
    flushCostlyVectors();
  }

  /** Flushes the memtable if searches compare too many of its vectors. */
  void flushCostlyVectors() {
    if (active.memtable().hasCostlyVectors()) {
      shard.switchAndFlush(this);
    }
  }

  /** The oldest log position whose record is in a memtable. */
  long neededPosition() {
    FrozenMemtable oldest = frozen.peekFirst();
    return oldest == null
        ? active.logPosition()
        : Math.min(oldest.firstPosition, active.logPosition());
  }

  /** Whether all memtables have been flushed. */
  boolean isFlushed() {
    return frozen.isEmpty() && active.isEmpty();
  }

  /** Whether there is only a memtable that is hardly worth a file. */
  boolean isSmall() {
    return frozen.isEmpty() && !active.isEmpty() && active.bytes() <= LogTail.LARGE_BYTES;
  }

  /** Whether the table has no data in this shard. */
  boolean isEmpty() {
    return isFlushed() && files.isEmpty() && !flushing;
  }

  /**
   * The smallest timestamp in any memtable, or less while files are of writes that may come back.
   */
  @Override
  public long smallestMemtableTimestamp() {
    OldLogs logs = replayedAgain;
    if (logs != null) {
      if (!logs.areDeleted()) {
        return Long.MIN_VALUE;
      }
      replayedAgain = null;
    }
    long smallest = active.memtable().smallestTimestamp();
    for (FrozenMemtable memtable : frozen) {
      smallest = Math.min(smallest, memtable.memtable.smallestTimestamp());
    }
    return smallest;
  }

  void tableChanged(TableDescriptor changed) {
    boolean reindexed = !changed.indexes().equals(table.indexes());
    table = changed;
    if (reindexed) {
      indexes.removeDropped(changed);
      active.tableChanged(changed);
      if (!active.isEmpty()) {
        shard.switchAndFlush(this);
      }
    }
    indexesChanged();
  }

  /** The table has other indexes, or files of them, than before. */
  void indexesChanged() {
    rebuildSources();
    indexes.consider();
  }

  TableIndexes indexes() {
    return indexes;
  }

  /**
   * Freezes the active memtable and replaces it with a new one, unless it is empty. The positions
   * are those that its SSTable will cover, besides the logs from which it was replayed.
   */
  @Nullable FrozenMemtable switchMemtable(List<Change> positions) {
    if (active.isEmpty()) {
      return null;
    }
    FrozenMemtable old = active.freeze(positions);
    frozen.addLast(old);
    rebuildSources();
    return old;
  }

  /** Flushes all memtables of the table; calls back when that is done or has failed. */
  void flush(Consumer<? super Exception> whenFlushed) {
    FrozenMemtable unused = switchMemtable(shard.currentPosition(table.id()));
    FrozenMemtable newest = frozen.peekLast();
    assert unused == null || unused == newest;
    if (newest == null) {
      whenFlushed.accept(null);
    } else {
      newest.whenFlushed(whenFlushed);
      startFlush();
    }
  }

  /** Starts to flush the oldest frozen memtable, unless a flush is running or not possible yet. */
  void startFlush() {
    FrozenMemtable oldest = frozen.peekFirst();
    if (oldest == null
        || flushing
        || flushRetryPending
        || truncating
        || oldest.waitsForOldLogs()
        || !shard.isDurable(oldest.endPosition)) {
      return;
    }
    flushing = true;
    oldest.memtable.retain(); // a DROP or TRUNCATE may release it during the flush
    JobContext jobs = shard.context().jobs();
    FlushJob job = new FlushJob(jobs, table, lifecycle, oldest);
    jobs.activity().pending(Kind.FLUSH, 1);
    try {
      jobs.runInBackground(() -> flush(oldest, job));
    } catch (Throwable e) {
      jobs.activity().pending(Kind.FLUSH, -1);
      Exception why = jobs.contain(e);
      shard.execute(() -> flushFailed(oldest, why));
    }
  }

  /** On a background thread. */
  private void flush(FrozenMemtable memtable, FlushJob job) {
    JobContext jobs = shard.context().jobs();
    jobs.activity().pending(Kind.FLUSH, -1);
    FlushJob.Result result;
    try {
      result = job.run();
    } catch (Throwable e) {
      Exception why = jobs.contain(e);
      shard.execute(() -> flushFailed(memtable, why));
      return;
    }
    shard.execute(() -> flushed(memtable, result));
  }

  private void flushed(FrozenMemtable memtable, FlushJob.Result result) {
    flushing = false;
    memtable.memtable.release();
    boolean replaced = replaceWithFile(memtable, result);
    startFlush();
    if (replaced) {
      compactions.consider();
      indexes.consider();
      shard.flushed();
    }
  }

  /** False if the table was truncated or dropped during the flush, or is about to be. */
  private boolean replaceWithFile(FrozenMemtable memtable, FlushJob.Result result) {
    OpenFile made = result.file();
    if (!result.committed() || !frozen.remove(memtable)) {
      if (made != null) {
        made.sstable().release();
      }
      return false;
    }
    if (made != null) {
      files.add(made);
    }
    shard.frozenBytesChanged(-memtable.bytes);
    rebuildSources();
    memtable.memtable.release();
    memtable.settle(null);
    return true;
  }

  private void flushFailed(FrozenMemtable memtable, Exception why) {
    flushing = false;
    memtable.memtable.release();
    if (!frozen.contains(memtable)) {
      startFlush();
      return;
    }
    flushRetryPending = true;
    for (FrozenMemtable waiting : frozen) {
      waiting.settle(why);
    }
    shard.flushFailed(this, why);
  }

  /** Called some time after a failed flush; until then no flush of the table starts. */
  void retryFlush() {
    flushRetryPending = false;
    startFlush();
  }

  /** Freezes what has been replayed; null if that has been flushed, truncated or dropped. */
  @Nullable FrozenMemtable freezeReplayed() {
    if (active.isReplayed()) {
      FrozenMemtable unused = switchMemtable(shard.currentPosition(table.id()));
      assert unused == null || unused == frozen.peekLast();
    }
    for (FrozenMemtable memtable : frozen) {
      if (memtable.replayedFrom != null) {
        return memtable;
      }
    }
    return null;
  }

  /**
   * Flushes the oldest frozen memtable on the calling thread, during the replay. No compaction
   * follows: it could purge deletions of writes that are still to be replayed. Until the logs are
   * deleted none purges any, since after a crash the flushed records would be replayed again.
   */
  void flushNow(OldLogs logs) throws java.io.IOException {
    replayedAgain = logs;
    FrozenMemtable oldest = frozen.peekFirst();
    if (oldest != null) {
      boolean replaced =
          replaceWithFile(
              oldest, new FlushJob(shard.context().jobs(), table, lifecycle, oldest).run());
      assert replaced;
    }
  }

  /** Adds a file at start-up. Call {@link #filesAdded} after the last one. */
  void addFile(OpenFile file) {
    files.add(file);
  }

  void filesAdded() {
    rebuildSources();
  }

  @Override
  public void replaceFiles(List<OpenFile> removed, List<OpenFile> added) {
    List<OpenFile> released = new ArrayList<>();
    for (OpenFile file : removed) {
      if (files.remove(file)) {
        released.add(file);
      }
    }
    files.addAll(added);
    rebuildSources();
    indexes.consider();
    released.forEach(shard::forget);
  }

  /** The file with a number, or null. */
  @Nullable OpenFile file(long number) {
    for (OpenFile file : files) {
      if (file.live().number() == number) {
        return file;
      }
    }
    return null;
  }

  /**
   * Starts a truncation: freezes the memtables that it covers and suspends flushes and compactions.
   */
  List<FrozenMemtable> beginTruncation() {
    FrozenMemtable unused = switchMemtable(shard.currentPosition(table.id()));
    assert unused == null || unused == frozen.peekLast();
    truncating = true;
    return List.copyOf(frozen);
  }

  /**
   * Ends a truncation and, if it succeeded, releases the memtables (null: it failed) and files that
   * it covers.
   */
  void endTruncation(@Nullable List<FrozenMemtable> truncated, Set<Long> truncatedFiles) {
    truncating = false;
    if (truncated != null) {
      for (FrozenMemtable memtable : truncated) {
        if (frozen.remove(memtable)) {
          shard.frozenBytesChanged(-memtable.bytes);
          memtable.settle(null);
          memtable.memtable.release();
        }
      }
      List<OpenFile> gone = new ArrayList<>();
      for (Iterator<OpenFile> i = files.iterator(); i.hasNext(); ) {
        OpenFile file = i.next();
        if (truncatedFiles.contains(file.live().number())) {
          i.remove();
          gone.add(file);
        }
      }
      rebuildSources();
      gone.forEach(shard::forget);
      shard.flushed();
    }
    startFlush();
    compactions.consider();
  }

  /** Releases everything, because the table was dropped. */
  void drop() {
    active.drop();
    for (FrozenMemtable memtable : frozen) {
      shard.frozenBytesChanged(-memtable.bytes);
      memtable.memtable.release();
      memtable.settle(null);
    }
    frozen.clear();
    List<OpenFile> gone = List.copyOf(files);
    files.clear();
    sources.release();
    gone.forEach(shard::forget);
    compactions.dropped();
    indexes.dropped();
  }

  /** Closes the files. When storage is closed and its loops have ended. */
  void close() {
    sources.release();
    files.forEach(file -> file.sstable().release());
  }

  private void rebuildSources() {
    List<Memtable> memtables = new ArrayList<>(1 + frozen.size());
    memtables.add(active.memtable());
    for (Iterator<FrozenMemtable> i = frozen.descendingIterator(); i.hasNext(); ) {
      memtables.add(i.next().memtable);
    }
    List<Sstable> sstables = new ArrayList<>(files.size());
    boolean shared = false;
    for (OpenFile file : files) {
      sstables.add(file.sstable());
      shared |= file.isShared();
    }
    anyShared = shared;
    TableSources old = sources;
    sources =
        new TableSources(table, memtables, sstables, indexes.sources(table, memtables, files));
    old.release();
    fileStatistics.set(files);
    shard.filesAdded();
  }

  /**
   * Statistics of the table in this shard. Any thread; the memtable's size may be slightly out of
   * date.
   */
  TableStatistics statistics() {
    TableContents unflushed = new TableContents(0, 0, 0, 0, active.memtable().entryCount());
    return fileStatistics
        .sum()
        .plus(new TableStatistics(0, 0, 0, 0, 0, active.bytes(), 0, 0, unflushed));
  }

  /** Statistics of the table's files in this shard. Any thread. */
  FileStatistics fileStatistics() {
    return fileStatistics;
  }
}
