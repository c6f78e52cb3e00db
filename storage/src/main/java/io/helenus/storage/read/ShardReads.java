package io.helenus.storage.read;

import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaReads;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.reply.Replies;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.EntryCursor;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens a shard's cursors over the rows of tables and pools closed ones. Shard thread only. */
public final class ShardReads {
  private static final int KEPT_LIMIT = 256;
  private static final int KEPT_REPLIES = 256;
  private static final int CLOCK_EVERY = 64;

  private final BlockCache cache;
  private final FilterCache filters;
  private final Snapshots snapshots;
  private final Clock clock;
  private final LargeSegments segments;
  private final int clockEvery;
  private final ArrayDeque<ShardReadCursor> free = new ArrayDeque<>();
  private final ArrayDeque<Replies> freeReplies = new ArrayDeque<>();
  private final ArrayDeque<AgreedRows> freeAgreedRows = new ArrayDeque<>();

  /** Reads through caches; the clock limits the duration of a call of advance. */
  public ShardReads(
      BlockCache cache,
      FilterCache filters,
      Snapshots snapshots,
      Clock clock,
      LargeSegments segments) {
    this(cache, filters, snapshots, clock, segments, CLOCK_EVERY);
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
      int clockEvery) {
    this.clockEvery = clockEvery;
    this.cache = cache;
    this.filters = filters;
    this.snapshots = snapshots;
    this.clock = clock;
    this.segments = segments;
  }

  /**
   * Opens a cursor over the current state of a table: all rows of a request, whether it names an
   * index or not. The request must not change until the cursor is closed.
   *
   * @throws IllegalArgumentException if the request reverses a read of several partitions
   */
  public ReadCursor open(TableSources sources, ReadRequest request) {
    return open(sources, request, Snapshots.NONE);
  }

  /** The same as of a snapshot, which stays open meanwhile. */
  public ReadCursor open(TableSources sources, ReadRequest request, long sequence) {
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

  /** Opens a cursor for what a replica sends: {@link ReplicaReads#read}. */
  public RawCursor openRaw(TableSources sources, ReadRequest request, int limitBytes) {
    return new ShardRawCursor(take().openRaw(sources, request, limitBytes));
  }

  /** Starts a merge of replies: {@link ReplicaReads#merge}. */
  public MergedReplies merge(TableSources sources, ReadRequest request, int replicas) {
    return new MergedReplies(this, sources, request, replicas);
  }

  ShardReadCursor openReplies(
      TableSources sources,
      ReadRequest request,
      List<? extends EntryCursor> replies,
      @Nullable PartitionOutput goesOn) {
    return take().openReplies(sources, request, replies, goesOn);
  }

  /** Takes idle replies; {@link #release} follows. */
  Replies takeReplies() {
    Replies idle = freeReplies.pollLast();
    return idle == null ? new Replies() : idle;
  }

  /** Takes back replies, which refer to nothing afterwards. */
  void release(Replies replies) {
    replies.end();
    if (freeReplies.size() < KEPT_REPLIES) {
      freeReplies.addLast(replies);
    }
  }

  /** The same for rows that need no merge. */
  AgreedRows takeAgreedRows() {
    AgreedRows idle = freeAgreedRows.pollLast();
    return idle == null ? new AgreedRows(clock, clockEvery) : idle;
  }

  /** Takes them back; they refer to nothing afterwards. */
  void release(AgreedRows rows) {
    rows.end();
    if (freeAgreedRows.size() < KEPT_REPLIES) {
      freeAgreedRows.addLast(rows);
    }
  }

  /** The memory of large rows. */
  LargeSegments segments() {
    return segments;
  }

  private ShardReadCursor take() {
    ShardReadCursor cursor = free.pollLast();
    return cursor == null
        ? new ShardReadCursor(this, cache, filters, snapshots, clock, segments, clockEvery)
        : cursor;
  }

  /** The blocks of files. */
  public BlockCache cache() {
    return cache;
  }

  /** Measures the time slices of reads. */
  public Clock clock() {
    return clock;
  }

  /** The snapshots of the shard. */
  public Snapshots snapshots() {
    return snapshots;
  }

  void giveBack(ShardReadCursor cursor) {
    if (free.size() < KEPT_LIMIT) {
      free.addLast(cursor);
    }
  }
}
