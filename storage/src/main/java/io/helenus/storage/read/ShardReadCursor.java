package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.CachedBlock;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TombstoneLimitException;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.merge.AssembledBytes;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.Sstable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read in progress: it manages the snapshot, the sources, the pinned blocks and the waiting for
 * blocks; {@link PartitionRead} and {@link RangeRead} decide what to read. Returned to the pool of
 * {@link ShardReads} when closed. Shard thread only.
 */
final class ShardReadCursor implements ReadCursor, BlockSource, BlockCache.Waiter {
  /** Why a step of a read ended. */
  enum Outcome {
    /** It is complete. */
    DONE,
    /** The sink ended the read. */
    STOPPED,
    /** A block is being loaded. */
    WAITING,
    /** The time slice is over. */
    YIELD
  }

  private final ShardReads owner;
  private final BlockCache cache;
  private final FilterCache filters;
  private final Snapshots snapshots;
  private final ReadSlice slice;
  private final Snapshots.Snapshot snapshot = new Snapshots.Snapshot();
  private final SourceSet set = new SourceSet();
  private final ReadTally tally = new ReadTally();
  private final AssembledBytes assembled = new AssembledBytes();
  private final LargeSegments segments;
  private final RowAssembly assembly;
  private final JoinedRow joined;
  private final PartitionRead partitionRead;
  private final RangeRead rangeRead;
  private final List<CachedBlock> granted = new ArrayList<>(4);

  /** Of rows without the newest memtable; most cursors never read these. */
  private @Nullable RowAssembly older;

  /** Most cursors never read for a coordinator. */
  private @Nullable RawRead rawRead;

  private @Nullable RawUnit rawUnit;

  private @Nullable TableSources sources;
  private @Nullable ReadRequest request;
  private @Nullable Runnable continuation;
  private @Nullable StorageException failure;
  private int tombstoneLimit;
  private int pendingLoads;
  private boolean filtersRequested;
  private boolean filtered;
  private boolean finished;
  private boolean open;

  ShardReadCursor(
      ShardReads owner,
      BlockCache cache,
      FilterCache filters,
      Snapshots snapshots,
      Clock clock,
      LargeSegments segments,
      int clockEvery) {
    slice = new ReadSlice(clock, clockEvery);
    this.owner = owner;
    this.cache = cache;
    this.filters = filters;
    this.snapshots = snapshots;
    this.segments = segments;
    assembly = new RowAssembly(segments, assembled);
    joined = new JoinedRow(assembly, assembled, segments);
    ReadMerge merge = new ReadMerge(assembly);
    partitionRead = new PartitionRead(this, set, tally, merge, assembly, joined);
    rangeRead = new RangeRead(this, set, tally, merge, joined);
  }

  /**
   * Opens it.
   *
   * @param sequence of the snapshot to read; NONE for the rows as they are now
   * @param before receives the rows as they are without the newest memtable; null if not wanted
   * @param newest instead of the newest memtable a version of the only row, null if there is none
   */
  ShardReadCursor open(
      TableSources newSources,
      ReadRequest newRequest,
      long sequence,
      @Nullable RowSink before,
      @Nullable RowView newest) {
    if (newRequest.keys().isReversed() && !newRequest.keys().isPartition()) {
      throw new IllegalArgumentException("only a read of one partition can be reversed");
    }
    begin(newSources, newRequest);
    try {
      long read = sequence == Snapshots.NONE ? snapshot.sequence() : sequence;
      openReads(newSources, newRequest, read, before, newest);
    } catch (Throwable e) {
      close();
      throw e;
    }
    return this;
  }

  private void begin(TableSources newSources, ReadRequest newRequest) {
    newSources.retain();
    sources = newSources;
    request = newRequest;
    snapshots.open(snapshot);
    failure = null;
    tally.beginBlocks();
    filtersRequested = false;
    filtered = false;
    finished = false;
    slice.open();
    open = true;
  }

  /** Opens it for {@link #advanceRaw}. */
  ShardReadCursor openRaw(TableSources newSources, ReadRequest newRequest, int limitBytes) {
    begin(newSources, newRequest);
    try {
      set.open(newSources, newRequest, snapshot.sequence(), this);
      tally.begin(newRequest, newSources.table(), set.mayHoldDeadCells());
      tombstoneLimit = newRequest.limits().tombstones();
      RawUnit unit = rawUnit;
      RawRead raw = rawRead;
      if (unit == null || raw == null) {
        unit = new RawUnit(segments, assembled);
        raw = new RawRead(this, set, tally, new ReadMerge(assembly), unit);
        rawUnit = unit;
        rawRead = raw;
      }
      raw.open(newRequest, newSources, limitBytes);
    } catch (Throwable e) {
      close();
      throw e;
    }
    return this;
  }

  /**
   * Opens it over the replies of replicas instead of the sources' memtables and files.
   *
   * @param goesOn of a read of one partition: the output of which this is the rest; null if it
   *     begins here
   */
  ShardReadCursor openReplies(
      TableSources newSources,
      ReadRequest newRequest,
      List<? extends EntryCursor> replies,
      @Nullable PartitionOutput goesOn) {
    begin(newSources, newRequest);
    try {
      set.openReplies(replies);
      // the replicas have counted their tombstones
      tally.begin(newRequest, newSources.table(), false);
      if (newRequest.keys().isPartition()) {
        partitionRead.open(newRequest, newSources, null, null, null);
        if (goesOn != null) {
          partitionRead.goOn(goesOn);
        }
      } else {
        rangeRead.open(newRequest, newSources);
        rangeRead.seekOverSkipped();
      }
      tombstoneLimit = Integer.MAX_VALUE;
    } catch (Throwable e) {
      close();
      throw e;
    }
    return this;
  }

  private void openReads(
      TableSources newSources,
      ReadRequest newRequest,
      long sequence,
      @Nullable RowSink before,
      @Nullable RowView newest) {
    set.open(newSources, newRequest, sequence, this);
    boolean deadCells = newest != null || set.mayHoldDeadCells();
    tally.begin(newRequest, newSources.table(), deadCells);
    if (newRequest.keys().isPartition()) {
      if (before != null && older == null) {
        older = new RowAssembly(segments, assembled);
      }
      partitionRead.open(newRequest, newSources, before, before == null ? null : older, newest);
    } else {
      rangeRead.open(newRequest, newSources);
    }
    tombstoneLimit = newRequest.limits().tombstones();
  }

  @Override
  public Status advance(RowSink sink) {
    ReadRequest current = ready();
    if (finished) {
      return Status.DONE;
    }
    if (pendingLoads > 0) {
      return Status.WAITING;
    }
    slice.begin();
    joined.elementsTo(sink.elements());
    boolean range = !current.keys().isPartition();
    Status reached = range ? status(rangeRead.advance(sink)) : advancePartition(current, sink);
    if (finished && !set.isOfReplies()) {
      sink.sources(set.files(), tally.blocks(), tally.blockBytes());
    }
    return reached;
  }

  private Status advancePartition(ReadRequest current, RowSink sink) {
    return isFiltered(current) ? status(partitionRead.advance(sink)) : Status.WAITING;
  }

  /** The same for a raw read, which appends to a reply. */
  Status advanceRaw(ByteWriter reply) {
    ReadRequest current = ready();
    RawRead raw = rawRead;
    if (finished || raw == null) {
      return Status.DONE;
    }
    if (pendingLoads > 0) {
      return Status.WAITING;
    }
    slice.begin();
    boolean reads = !current.keys().isPartition() || isFiltered(current);
    return reads ? status(raw.advance(reply)) : Status.WAITING;
  }

  /** Whether the reply of {@link #advanceRaw} is complete to the end of the request. */
  boolean isRawComplete() {
    RawRead raw = rawRead;
    return raw != null && raw.isComplete();
  }

  private ReadRequest ready() {
    ReadRequest current = request;
    if (!open || current == null) {
      throw new IllegalStateException("the cursor is closed");
    }
    if (failure != null) {
      finished = true;
      throw failure;
    }
    return current;
  }

  /**
   * Whether the files that cannot have the partition have been left out; else a filter is loaded.
   */
  private boolean isFiltered(ReadRequest current) {
    if (!filtered) {
      if (!filtersRequested) {
        // only once: the last one that is loaded may have replaced the first one
        filtersRequested = true;
        set.loadFilters(filters, this);
      }
      if (pendingLoads > 0) {
        return false;
      }
      set.filterByPartition(current.segment(), 0, current.keys().lowerLength());
      filtered = true;
    }
    return true;
  }

  private Status status(Outcome outcome) {
    slice.end(outcome == Outcome.YIELD);
    if (tally.tombstones() > tombstoneLimit) {
      finished = true;
      throw new TombstoneLimitException(tally.rows(), tally.tombstones());
    }
    return switch (outcome) {
      case DONE -> {
        finished = true;
        yield Status.DONE;
      }
      case STOPPED -> {
        finished = true;
        yield Status.STOPPED;
      }
      case WAITING -> Status.WAITING;
      case YIELD -> Status.YIELD;
    };
  }

  /** Counts an entry; returns whether the time slice, or the read, is over. */
  boolean isTimeUp() {
    return isTimeUp(1);
  }

  /** The same for a number of entries. */
  boolean isTimeUp(int entries) {
    return tally.tombstones() > tombstoneLimit || slice.isUp(entries, assembled.take());
  }

  /** Whether a row of so many bytes may be passed on in this slice; if not, the read yields. */
  boolean mayPass(long bytes) {
    return slice.mayPass(bytes);
  }

  @Override
  public void whenReady(Runnable newContinuation) {
    if (pendingLoads == 0) {
      cache.shard().execute(newContinuation);
    } else {
      continuation = newContinuation;
    }
  }

  @Override
  public int rowsRead() {
    return tally.rows();
  }

  @Override
  public int tombstonesRead() {
    return tally.tombstones();
  }

  @Override
  public int filesRead() {
    return set.files();
  }

  ReadTally tally() {
    return tally;
  }

  @Override
  public @Nullable Block acquire(Sstable file, long position, int storedLength, int length) {
    for (int i = granted.size() - 1; i >= 0; i--) {
      CachedBlock block = granted.get(i);
      if (block.isAt(file, position)) {
        tally.countBlock(length);
        return granted.remove(i);
      }
    }
    pendingLoads++;
    CachedBlock block = cache.acquire(file, position, storedLength, length, this);
    if (block != null) {
      pendingLoads--;
      tally.countBlock(length);
    }
    return block;
  }

  @Override
  public void prefetch(Sstable file, long position, int storedLength, int length) {
    cache.prefetch(file, position, storedLength, length);
  }

  @Override
  public void release(Block block) {
    cache.release((CachedBlock) block);
  }

  /** Counts the load of a filter that has been requested. */
  void countLoad() {
    pendingLoads++;
  }

  /** There was no room for the filter. */
  void uncountLoad() {
    pendingLoads--;
  }

  @Override
  public void onLoaded(CachedBlock block) {
    if (open) {
      granted.add(block);
    } else {
      cache.release(block);
    }
    loadEnded();
  }

  @Override
  public void onLoadFailed(StorageException cause) {
    failure = cause;
    loadEnded();
  }

  @Override
  public void onFilterLoaded() {
    loadEnded();
  }

  private void loadEnded() {
    pendingLoads--;
    if (!open && pendingLoads == 0) {
      releaseSources();
    }
    Runnable next = continuation;
    if (pendingLoads == 0 && next != null) {
      continuation = null;
      next.run();
    }
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    set.close();
    assembly.close();
    if (older != null) {
      older.close();
    }
    joined.close();
    if (rawUnit != null) {
      rawUnit.close();
    }
    // by index: an iterator would be allocated
    for (int i = granted.size() - 1; i >= 0; i--) {
      cache.release(granted.remove(i));
    }
    snapshots.close(snapshot);
    continuation = null;
    request = null;
    // While blocks are loaded, their files stay open and the loads call back this cursor.
    if (pendingLoads == 0) {
      releaseSources();
      owner.giveBack(this);
    }
  }

  private void releaseSources() {
    TableSources used = sources;
    sources = null;
    if (used != null) {
      used.release();
    }
  }
}
