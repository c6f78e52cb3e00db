package io.helenus.storage.local;

import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.compaction.CompactionQueue;
import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaReads;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.WriteRefusedException.Reason;
import io.helenus.storage.env.DiskFullException;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.OpenIndex;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.log.CommitLog;
import io.helenus.storage.log.LogBatch;
import io.helenus.storage.log.LogOptions;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.ShareId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one shard. Shard thread only.
 *
 * <ol>
 *   <li>{@link #apply} validates a mutation, appends it to the log, and in periodic mode inserts it
 *       into the memtables; in the other modes that happens after its sync.
 *   <li>Without room in the log or in memory, mutations wait in a bounded queue or are refused.
 *   <li>When the memtables exceed the size for flushes, the largest one is flushed; at twice that
 *       size, with those that are being flushed, mutations wait. When the log exceeds its share of
 *       disk space, its {@link LogTail} releases the oldest segment.
 * </ol>
 */
final class ShardEngine implements StorageEngine, CommitLog.Owner {
  private static final Logger LOGGER = LoggerFactory.getLogger(ShardEngine.class);
  private static final long FLUSH_RETRY_NANOS = 1_000_000_000L;
  private static final long SMALLEST_QUEUE_BYTES = 1 << 20;

  private final StorageContext context;
  private final int shard;
  private final Scheduler scheduler;
  private final CommitLog log;
  private final Snapshots snapshots = new Snapshots();
  private final BlockCache cache;
  private final FilterCache filters;
  private final TableReads reads;
  private final LocalDraft.Pool drafts;
  private final TableStores stores = new TableStores();
  private final MutationView view = new MutationView();
  private final LogTail logTail;
  private final WaitingWrites waiting;
  private final RefusedWrites refused = new RefusedWrites();
  private final CompactionQueue compactions;
  private final boolean visibleImmediately;
  private final long flushAboveBytes;
  private final long waitAboveBytes;
  private final long logBoundBytes;
  private long activeBytes;
  private long frozenBytes;

  /** The size of the mutations that are in the log and not yet in memtables. */
  private long loggedBytes;

  private long insertedPosition;
  private boolean flushWaitsForLog;
  private @Nullable Exception flushProblem;

  ShardEngine(StorageContext context, int shard, LogOptions logOptions) {
    this.context = context;
    this.shard = shard;
    scheduler = context.environment().shards().get(shard);
    log =
        new CommitLog(
            context.files(),
            scheduler,
            context.jobs().io(),
            logOptions,
            this,
            context.jobs()::fatal,
            context.memory().segments(Use.BUFFERS));
    logTail = new LogTail(this, log, logOptions.segmentBytes());
    int shards = context.options().shards();
    cache =
        new BlockCache(
            context.options().blockCacheBytes() / shards,
            context.memory().slabs(Use.BLOCK_CACHE),
            context.jobs().io(),
            scheduler,
            context.jobs().fatalErrors());
    filters =
        new FilterCache(
            context.fileMemory(),
            shards,
            context.jobs().io(),
            scheduler,
            context.jobs().fatalErrors());
    reads =
        new TableReads(
            new ShardReads(
                cache,
                filters,
                snapshots,
                context.environment().clock(),
                context.memory().segments(Use.BUFFERS)),
            context.memory().slabs(Use.FILTERS_AND_INDEXES),
            context.vectorReads(scheduler));
    drafts = new LocalDraft.Pool(context, reads, snapshots);
    visibleImmediately = context.options().syncMode() == SyncMode.PERIODIC;
    flushAboveBytes = context.options().memtableBytes() / shards;
    compactions =
        new CompactionQueue(context.jobs(), context.graceRule(), scheduler, flushAboveBytes);
    waiting =
        new WaitingWrites(
            context.memory().segments(Use.MEMTABLES),
            Math.max(SMALLEST_QUEUE_BYTES, flushAboveBytes / 4));
    waitAboveBytes = 2 * flushAboveBytes - flushAboveBytes / 4;
    logBoundBytes =
        Math.max(2L * logOptions.segmentBytes(), context.options().commitLogBytes() / shards);
  }

  StorageContext context() {
    return context;
  }

  int shard() {
    return shard;
  }

  TableStores stores() {
    return stores;
  }

  CommitLog log() {
    return log;
  }

  CompactionQueue compactions() {
    return compactions;
  }

  void execute(Runnable task) {
    scheduler.execute(task);
  }

  Memtable newMemtable(TableDescriptor table) {
    return new Memtable(
        table.id(), table.indexes(), context.memory().slabs(Use.MEMTABLES), snapshots);
  }

  TableStore addTable(TableDescriptor table, TableLifecycle lifecycle) {
    TableStore store = new TableStore(this, table, lifecycle);
    stores.add(store);
    return store;
  }

  // writes

  @Override
  public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
    if (!waiting.isEmpty() || !take(mutation, offset, length, listener)) {
      if (!waiting.add(mutation, offset, length, listener)) {
        refused.add(
            listener,
            Reason.OVERLOADED,
            "flushes and the commit log cannot keep up with the writes; try again later");
      }
    }
  }

  /** Accepts or refuses a mutation; false if it has to wait. */
  private boolean take(MemorySegment mutation, long offset, int length, WriteListener listener) {
    if (!check(mutation, offset, length, listener)) {
      return true;
    }
    if (activeBytes + frozenBytes + loggedBytes > waitAboveBytes) {
      return refuseIfDiskFull(listener, flushProblem);
    }
    try {
      long position = log.append(mutation, offset, length, listener);
      if (position == CommitLog.NO_ROOM) {
        return refuseIfDiskFull(listener, log.refusal());
      }
      if (visibleImmediately) {
        insert(position);
      } else {
        loggedBytes += length;
      }
    } catch (Throwable e) {
      // log and memtable may disagree; the caller might contain it
      context.jobs().fatal(e);
      throw e;
    }
    return true;
  }

  private boolean refuseIfDiskFull(WriteListener listener, @Nullable Exception problem) {
    if (problem == null) {
      return false;
    }
    refused.add(listener, Reason.DISK_FULL, "cannot write: " + problem.getMessage());
    return true;
  }

  /** Validates the mutation and wraps it in the view; false if it was refused. */
  private boolean check(MemorySegment mutation, long offset, int length, WriteListener listener) {
    if (length > log.payloadLimitBytes()) {
      refused.add(
          listener,
          Reason.TOO_LARGE,
          "Mutation of "
              + length
              + " bytes is too large for the maximum size of "
              + log.payloadLimitBytes());
      return false;
    }
    if (log.isFailed()) {
      refused.add(listener, Reason.STOPPED, "the node is stopping because its commit log failed");
      return false;
    }
    view.wrap(mutation, offset, length);
    while (view.nextTable()) {
      if (stores.get(view.tableId()) == null) {
        refused.add(listener, Reason.UNKNOWN_TABLE, "no table with id " + view.tableId());
        return false;
      }
    }
    return true;
  }

  /** Inserts the view's mutation into the memtables. */
  private void insert(long position) {
    long sequence = snapshots.next();
    insertedPosition = position + 1;
    view.rewind();
    while (view.nextTable()) {
      TableStore store = stores.get(view.tableId());
      if (store != null && store.takes(view)) {
        store.apply(view, sequence, position);
      }
    }
    if (activeBytes > flushAboveBytes) {
      flushLargest();
    }
  }

  @Override
  public CacheStatistics cacheStatistics() {
    return cache.statistics();
  }

  @Override
  public CommitLogStatistics commitLogStatistics() {
    return log.statistics();
  }

  @Override
  public boolean tickPending() {
    return log.tickPending() || !refused.isEmpty();
  }

  @Override
  public @Nullable ShareId counterShare() {
    return context.counterShare().id();
  }

  @Override
  public void claimCounterShare(Consumer<? super Exception> whenDone) {
    context.counterShare().claim(context.jobs(), scheduler, whenDone);
  }

  @Override
  public void endTick() {
    log.endTick();
    refused.notifyListeners();
    shortenLog();
  }

  @Override
  public void onDurable(LogBatch batch) {
    for (int i = 0; i < batch.count(); i++) {
      if (!visibleImmediately && batch.tag(i) != CommitLog.COPY) {
        view.wrap(batch.segment(), batch.offset(i), batch.length(i));
        loggedBytes -= batch.length(i);
        insert(batch.position(i));
      }
      if (batch.tag(i) instanceof WriteListener listener) {
        listener.onDurable();
      }
    }
  }

  @Override
  public void onRoom() {
    admitWaiting();
  }

  @Override
  public void onDiskFull(IOException why, boolean again) {
    if (!again) {
      LOGGER.warn(
          "Shard {} refuses writes until there is disk space for its commit log: {}",
          shard,
          why.getMessage());
    }
    refuseWaiting(why);
  }

  private void refuseWaiting(Exception why) {
    WaitingWrites.Waiting first = waiting.first();
    while (first != null) {
      waiting.removeFirst();
      boolean done = refuseIfDiskFull(first.listener(), why);
      assert done;
      first = waiting.first();
    }
    refused.notifyListeners();
  }

  private void admitWaiting() {
    WaitingWrites.Waiting first = waiting.first();
    while (first != null
        && take(first.bytes().segment(), 0, first.bytes().size(), first.listener())) {
      waiting.removeFirst();
      first = waiting.first();
    }
    if (tickPending()) {
      endTick();
    }
  }

  @Override
  public void onSynced() {
    if (flushWaitsForLog) {
      flushWaitsForLog = false;
      stores.all().forEach(TableStore::startFlush);
    }
    logTail.onSynced();
    releaseLog();
  }

  /**
   * Whether the log is durable up to a position; if not, requests a sync and retries flushes after
   * it.
   */
  boolean isDurable(long position) {
    if (position <= log.durablePosition()) {
      return true;
    }
    flushWaitsForLog = true;
    log.requestSync();
    return false;
  }

  /** The log position below which everything is in memtables or SSTables. */
  long insertedPosition() {
    return insertedPosition;
  }

  // reads

  @Override
  public ReadCursor read(ReadRequest request) {
    TableStore store = stores.existing(request.tableId());
    return reads.open(store.sources(), ClampedRequest.ofShard(store, request, context, shard));
  }

  @Override
  public ReplicaReads replicaReads() {
    return new LocalReplicaReads(stores, reads, context, shard);
  }

  @Override
  public Draft draft(int tableId) {
    return drafts.take(stores.existing(tableId));
  }

  /** A table has files that it did not have before, whose indexes take memory. */
  void filesAdded() {
    filters.limit();
  }

  /** Releases a file that no table references. */
  void forget(OpenFile file) {
    file.indexes().forEach(index -> index.ifTerms(cache::forget));
    cache.forget(file.sstable());
    filters.forget(file.sstable());
    file.sstable().release();
  }

  /** Deletes the file of an index. */
  void forget(OpenFile file, OpenIndex index) {
    index.ifTerms(cache::forget);
    file.remove(index);
  }

  // memory and log space

  void activeBytesChanged(long by) {
    activeBytes += by;
  }

  void frozenBytesChanged(long by) {
    frozenBytes += by;
  }

  /** The log position below which everything of a table is in its memtables or SSTables. */
  List<Change> currentPosition(int tableId) {
    return List.of(
        new Change.Flushed(tableId, log.logId(), Long.MIN_VALUE, Long.MAX_VALUE, insertedPosition));
  }

  private void flushLargest() {
    TableStore largest = stores.largest();
    if (largest != null && largest.active().bytes() > 0) {
      switchAndFlush(largest);
    }
  }

  void switchAndFlush(TableStore store) {
    if (store.switchMemtable(currentPosition(store.tableId())) != null) {
      store.startFlush();
    }
  }

  /** A memtable has been released, which makes room in memory and possibly in the log. */
  void flushed() {
    flushProblem = null;
    releaseLog();
    if (!waiting.isEmpty()) {
      admitWaiting();
    }
  }

  /** Releases the segments of the log that no memtable needs. */
  void releaseLog() {
    log.release(stores.neededPosition());
    shortenLog();
  }

  private void shortenLog() {
    if (log.liveBytes() > logBoundBytes) {
      logTail.release(log.oldestSequence());
    }
  }

  void flushFailed(TableStore store, Exception why) {
    LOGGER.warn(
        "Shard {} cannot flush table {}, will retry in {} s: {}",
        shard,
        store.tableId(),
        FLUSH_RETRY_NANOS / 1_000_000_000L,
        why.getMessage(),
        why);
    flushProblem = why;
    if (why instanceof DiskFullException) {
      refuseWaiting(why);
    }
    schedule(store::retryFlush, FLUSH_RETRY_NANOS);
  }

  void schedule(Runnable task, long delayNanos) {
    Scheduler.Timer timer = scheduler.schedule(task, delayNanos);
    assert timer != null;
  }

  // start-up

  /** Applies a replayed record to a table's memtable. */
  void recover(TableStore store, MutationView record) {
    store.active().apply(record, snapshots.next(), -1);
  }

  boolean isMemoryFull() {
    return activeBytes > flushAboveBytes;
  }
}
