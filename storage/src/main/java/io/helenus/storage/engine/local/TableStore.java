package io.helenus.storage.engine.local;

import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One table of one shard: its memtables and files, and what happens to them. Shard thread only, but
 * for {@link #statistics}.
 *
 * <p>Memtables are flushed one after the other, oldest first, because a flush says that everything
 * up to a log position is in files. While a truncation is under way nothing is flushed or
 * compacted.
 */
final class TableStore {
  private static final long NOTHING_LOGGED = LogPosition.ALL;

  private final ShardEngine shard;
  private final TableLife life;
  private TableDescriptor table;
  private Memtable active;
  private long activeBytes;
  private long firstPosition = NOTHING_LOGGED;
  private long firstToken = Long.MAX_VALUE;
  private long lastToken = Long.MIN_VALUE;
  private final ArrayDeque<FrozenMemtable> frozen = new ArrayDeque<>();
  private final List<OpenFile> files = new ArrayList<>();
  private TableSources sources;
  private @Nullable FrozenMemtable replayed;
  private boolean flushing;
  private boolean flushRetryPending;
  private boolean held;
  private boolean anyShared;
  private volatile TableStatistics fileStatistics = TableStatistics.NONE;
  private final TableCompactions compactions;

  TableStore(ShardEngine shard, TableDescriptor table, TableLife life) {
    this.shard = shard;
    this.table = table;
    this.life = life;
    active = shard.newMemtable(table.id());
    sources = new TableSources(table, List.of(active), List.of());
    compactions = new TableCompactions(shard, this);
  }

  int tableId() {
    return table.id();
  }

  TableDescriptor table() {
    return table;
  }

  TableLife life() {
    return life;
  }

  TableSources sources() {
    return sources;
  }

  List<OpenFile> files() {
    return files;
  }

  TableCompactions compactions() {
    return compactions;
  }

  boolean isHeld() {
    return held;
  }

  /** Whether some files have rows of other shards. */
  boolean hasSharedFiles() {
    return anyShared;
  }

  long activeBytes() {
    return activeBytes;
  }

  /** The oldest log position that some memtable needs. */
  long neededPosition() {
    FrozenMemtable oldest = frozen.peekFirst();
    return oldest == null ? firstPosition : Math.min(oldest.firstPosition, firstPosition);
  }

  /** Whether nothing is in memory only. */
  boolean isFlushed() {
    return frozen.isEmpty() && active.isEmpty();
  }

  /** Whether there is nothing of the table in this shard. */
  boolean isEmpty() {
    return isFlushed() && files.isEmpty() && !flushing;
  }

  /** The oldest log position that the active memtable needs. */
  long activeFirstPosition() {
    return firstPosition;
  }

  /** The smallest timestamp in any memtable. */
  long smallestMemtableTimestamp() {
    long smallest = active.smallestTimestamp();
    for (FrozenMemtable memtable : frozen) {
      smallest = Math.min(smallest, memtable.memtable.smallestTimestamp());
    }
    return smallest;
  }

  /** Applies the table at which the view stands; a negative position: it is not from this log. */
  void apply(MutationView view, long sequence, long position) {
    active.apply(view, sequence);
    if (firstPosition == NOTHING_LOGGED && position >= 0) {
      firstPosition = position;
    }
    long token = view.token();
    if (token < firstToken) {
      firstToken = token;
    }
    if (token > lastToken) {
      lastToken = token;
    }
    long bytes = active.memoryBytes();
    if (bytes != activeBytes) {
      shard.activeBytesChanged(bytes - activeBytes);
      activeBytes = bytes;
    }
  }

  void tableChanged(TableDescriptor changed) {
    table = changed;
    rebuildSources();
  }

  /**
   * Puts a new memtable in the place of the active one, if that has anything in it. The changes say
   * what is in files once it is.
   */
  @Nullable FrozenMemtable switchMemtable(List<Change> positions) {
    if (active.isEmpty()) {
      return null;
    }
    active.freeze();
    FrozenMemtable old =
        new FrozenMemtable(
            active,
            firstPosition,
            firstPosition == NOTHING_LOGGED ? LogPosition.START : shard.insertedPosition(),
            firstToken,
            lastToken,
            positions);
    frozen.addLast(old);
    shard.activeBytesChanged(-activeBytes);
    shard.frozenBytesChanged(old.bytes);
    active = shard.newMemtable(table.id());
    activeBytes = 0;
    firstPosition = NOTHING_LOGGED;
    firstToken = Long.MAX_VALUE;
    lastToken = Long.MIN_VALUE;
    rebuildSources();
    return old;
  }

  /** Flushes what is in memory; runs when it is in files, or cannot be. */
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

  /** Begins to write the oldest frozen memtable, if none is being written. */
  void startFlush() {
    FrozenMemtable oldest = frozen.peekFirst();
    if (oldest == null
        || oldest == replayed
        || flushing
        || flushRetryPending
        || held
        || !shard.isDurable(oldest.endPosition)) {
      return;
    }
    flushing = true;
    oldest.memtable.retain(); // a DROP or TRUNCATE releases it while it is being written
    FlushJob job = new FlushJob(shard.context(), table, life, oldest);
    shard.context().activity().pending(Kind.FLUSH, 1);
    try {
      shard.context().runInBackground(() -> flush(oldest, job));
    } catch (Throwable e) {
      shard.context().activity().pending(Kind.FLUSH, -1);
      Exception why = shard.context().contain(e);
      shard.execute(() -> flushFailed(oldest, why));
    }
  }

  /** On a background thread. */
  private void flush(FrozenMemtable memtable, FlushJob job) {
    shard.context().activity().pending(Kind.FLUSH, -1);
    FlushJob.Result result;
    try {
      result = job.run();
    } catch (Throwable e) {
      Exception why = shard.context().contain(e);
      shard.execute(() -> flushFailed(memtable, why));
      return;
    }
    shard.execute(() -> flushed(memtable, result));
  }

  private void flushed(FrozenMemtable memtable, FlushJob.Result result) {
    flushing = false;
    memtable.memtable.release();
    OpenFile made = result.file();
    if (!result.committed() || !frozen.remove(memtable)) {
      // truncated or dropped meanwhile, or about to be
      if (made != null) {
        made.sstable().release();
      }
      startFlush();
      return;
    }
    if (made != null) {
      files.add(made);
    }
    shard.frozenBytesChanged(-memtable.bytes);
    rebuildSources();
    memtable.memtable.release();
    memtable.settle(null);
    startFlush();
    compactions.consider();
    shard.flushed();
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

  /** A while after a failed flush: until then none begins, whoever asks for it. */
  void retryFlush() {
    flushRetryPending = false;
    startFlush();
  }

  /** Freezes what was replayed, while the node starts; {@link #replayed} hands it out once. */
  void switchReplayed(List<Change> positions) {
    replayed = switchMemtable(positions);
  }

  /**
   * What was replayed, the first time; null if there is nothing, any more. Only from then on may it
   * be flushed.
   */
  @Nullable FrozenMemtable replayed() {
    FrozenMemtable taken = replayed;
    replayed = null;
    return taken != null && frozen.contains(taken) ? taken : null;
  }

  /** Writes a frozen memtable at once, on the calling thread: while the node starts. */
  void flushAtOnce() throws java.io.IOException {
    FrozenMemtable oldest = frozen.peekFirst();
    if (oldest != null) {
      flushed(oldest, new FlushJob(shard.context(), table, life, oldest).run());
    }
  }

  /** Takes a file in, while the node starts; {@link #filesAdded} follows. */
  void addFile(OpenFile file) {
    files.add(file);
  }

  void filesAdded() {
    rebuildSources();
  }

  /** Puts files in the place of others. */
  void replaceFiles(List<OpenFile> removed, List<OpenFile> added) {
    List<OpenFile> released = new ArrayList<>();
    for (OpenFile file : removed) {
      if (files.remove(file)) {
        released.add(file);
      }
    }
    files.addAll(added);
    rebuildSources();
    released.forEach(shard::forget);
  }

  /** Whether a file that was split is still among the files, and which one it is. */
  @Nullable OpenFile file(long number) {
    for (OpenFile file : files) {
      if (file.live().number() == number) {
        return file;
      }
    }
    return null;
  }

  /** Begins a truncation: what is in memory now will go; nothing is flushed until it has ended. */
  List<FrozenMemtable> hold() {
    FrozenMemtable unused = switchMemtable(shard.currentPosition(table.id()));
    assert unused == null || unused == frozen.peekLast();
    held = true;
    return List.copyOf(frozen);
  }

  /** Ends a truncation that is durable, or did not come to be (null): forgets what it covers. */
  void release(@Nullable List<FrozenMemtable> truncated, Set<Long> truncatedFiles) {
    held = false;
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

  /** The table was dropped: lets go of everything. */
  void drop() {
    shard.activeBytesChanged(-activeBytes);
    activeBytes = 0;
    firstPosition = NOTHING_LOGGED;
    for (FrozenMemtable memtable : frozen) {
      shard.frozenBytesChanged(-memtable.bytes);
      memtable.memtable.release();
      memtable.settle(null);
    }
    frozen.clear();
    active.release();
    List<OpenFile> gone = List.copyOf(files);
    files.clear();
    sources.release();
    gone.forEach(shard::forget);
    compactions.dropped();
  }

  private void rebuildSources() {
    List<Memtable> memtables = new ArrayList<>(1 + frozen.size());
    memtables.add(active);
    for (Iterator<FrozenMemtable> i = frozen.descendingIterator(); i.hasNext(); ) {
      memtables.add(i.next().memtable);
    }
    List<Sstable> sstables = new ArrayList<>(files.size());
    boolean shared = false;
    TableStatistics statistics = TableStatistics.NONE;
    for (OpenFile file : files) {
      sstables.add(file.sstable());
      shared |= file.isShared();
      statistics = statistics.plus(statisticsOf(file.sstable()));
    }
    anyShared = shared;
    TableSources old = sources;
    sources = new TableSources(table, memtables, sstables);
    old.release();
    fileStatistics = statistics;
  }

  private static TableStatistics statisticsOf(Sstable file) {
    SstableStatistics statistics = file.statistics();
    return new TableStatistics(
        1,
        file.sizeBytes(),
        file.sizeBytes(),
        statistics.largestTimestamp() - statistics.smallestTimestamp(),
        statistics.largestPartitionBytes(),
        0,
        statistics.partitions(),
        0);
  }

  /** Any thread; the memtable's size may be a little out of date. */
  TableStatistics statistics() {
    return fileStatistics.plus(new TableStatistics(0, 0, 0, 0, 0, activeBytes, 0, 0));
  }
}
