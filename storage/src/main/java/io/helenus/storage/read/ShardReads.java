package io.helenus.storage.read;

import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.row.RowView;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Opens a shard's read cursors and pools closed ones. Shard thread only. */
public final class ShardReads {
  private static final int KEPT_LIMIT = 256;
  private static final int CLOCK_EVERY = 64;

  private final BlockCache cache;
  private final FilterCache filters;
  private final Snapshots snapshots;
  private final Clock clock;
  private final LargeSegments segments;
  private final SlabPool slabs;
  private final VectorReads vectors;
  private final int clockEvery;
  private final ArrayDeque<ShardReadCursor> free = new ArrayDeque<>();

  /**
   * Reads through caches; the clock limits the duration of a call of advance.
   *
   * @param slabs memory for the keys that reads of indexes collect
   */
  public ShardReads(
      BlockCache cache,
      FilterCache filters,
      Snapshots snapshots,
      Clock clock,
      LargeSegments segments,
      SlabPool slabs,
      VectorReads vectors) {
    this(cache, filters, snapshots, clock, segments, slabs, vectors, CLOCK_EVERY);
  }

  /**
   * The same, checking the clock once per {@code clockEvery} entries, or as much work on large
   * ones.
   */
  ShardReads(
      BlockCache cache,
      FilterCache filters,
      Snapshots snapshots,
      Clock clock,
      LargeSegments segments,
      SlabPool slabs,
      VectorReads vectors,
      int clockEvery) {
    this.slabs = slabs;
    this.vectors = vectors;
    this.clockEvery = clockEvery;
    this.cache = cache;
    this.filters = filters;
    this.snapshots = snapshots;
    this.clock = clock;
    this.segments = segments;
  }

  /**
   * Opens a cursor over the current state of a table. The request must not change until the cursor
   * is closed.
   *
   * @throws IllegalArgumentException if the request limits the rows that an index finds, or
   *     reverses a read of several partitions
   */
  public ReadCursor open(TableSources sources, ReadRequest request) {
    if (request.lookup().isAny() && request.limits().limitRows()) {
      throw new IllegalArgumentException("the rows that an index finds cannot be limited");
    }
    if (request.lookup().vectorIndexId() != 0) {
      return openNearest(sources, request);
    }
    if (request.lookup().indexId() != 0) {
      TermSources index = sources.terms(request.lookup().indexId());
      if (index != null && !request.keys().isReversed()) {
        return new IndexRead(this, sources, index, request);
      }
    }
    return openRows(sources, request);
  }

  private ReadCursor openNearest(TableSources sources, ReadRequest request) {
    VectorSources index = sources.vectors(request.lookup().vectorIndexId());
    if (index == null) {
      throw new StorageException(
          "index "
              + request.lookup().vectorIndexId()
              + " of table "
              + request.tableId()
              + " does not cover all rows yet; repeat the read when it is built");
    }
    return new NearestRead(this, sources, index, request);
  }

  /** Opens a cursor over all rows of a request, whether it names an index or not. */
  ReadCursor openRows(TableSources sources, ReadRequest request) {
    return openRows(sources, request, Snapshots.NONE);
  }

  /** The same as of a snapshot, which stays open meanwhile. */
  ReadCursor openRows(TableSources sources, ReadRequest request, long sequence) {
    return take().open(sources, request, sequence, null, null);
  }

  /**
   * Opens a cursor over single rows of a table without multi-cell columns. Each is passed to {@code
   * before} as it is without the newest memtable, and then to the sink of the read.
   *
   * @param newest a version of the only row of the request, instead of a newest memtable; its bytes
   *     must stay valid until the cursor is closed; null if there is that memtable
   */
  public ReadCursor openBoth(
      TableSources sources, ReadRequest request, RowSink before, @Nullable RowView newest) {
    return take().open(sources, request, Snapshots.NONE, before, newest);
  }

  private ShardReadCursor take() {
    ShardReadCursor cursor = free.pollLast();
    return cursor == null
        ? new ShardReadCursor(this, cache, filters, snapshots, clock, segments, clockEvery)
        : cursor;
  }

  BlockCache cache() {
    return cache;
  }

  Clock clock() {
    return clock;
  }

  /** Memory for the keys that a read collects. */
  SlabPool slabs() {
    return slabs;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  VectorReads vectors() {
    return vectors;
  }

  void giveBack(ShardReadCursor cursor) {
    if (free.size() < KEPT_LIMIT) {
      free.addLast(cursor);
    }
  }
}
