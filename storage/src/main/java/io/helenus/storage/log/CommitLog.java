package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shard's commit log (storage/docs/commitlog.md). Shard thread only, except {@link #close}.
 *
 * <ol>
 *   <li>{@link #append} copies a record into the tick's batch and assigns its position, or returns
 *       {@link #NO_ROOM} if no space is allocated yet;
 *   <li>{@link #endTick} writes the batch with one write;
 *   <li>when the batch is as durable as the sync mode requires, {@link Owner#onDurable} is called:
 *       from within endTick in periodic mode, otherwise after the sync that covers it. Batches
 *       become durable in order.
 * </ol>
 *
 * <p>A failed write or sync is final: onDurable is not called again, and the node must stop.
 */
public final class CommitLog {
  /** Receives the log's events, on the shard's thread. */
  public interface Owner {
    /**
     * These records are as durable as the sync mode requires. The batch is valid only during the
     * call.
     */
    void onDurable(LogBatch batch);

    /** Space is available: an append that returned {@link #NO_ROOM} may be repeated. */
    void onRoom();

    /**
     * The disk is full: waiting appends should be refused.
     *
     * @param again whether this was already reported and there has been no space since
     */
    void onDiskFull(IOException why, boolean again);

    /** More of the log has been synced; segments may be released. */
    void onSynced();
  }

  /** Returned by {@link #append} if the record was not appended; wait for {@link Owner#onRoom}. */
  public static final long NO_ROOM = -1;

  /** The tag of the records of {@link #appendCopy}. */
  public static final Object COPY = new Object();

  private static final long ORIGINAL = -1;

  private static final long RETRY_NANOS = 250_000_000L;

  private final FileSystem files;
  private final Scheduler shard;
  private final LogOptions options;
  private final Owner owner;
  private final Consumer<? super Exception> fatal;
  private final SegmentSupply supply;
  private final LogSync sync;
  private final Crc32c checksum = new Crc32c();

  private final ArrayDeque<LogSegment> live = new ArrayDeque<>();
  private final UnsyncedBatches unsynced;
  private LogBatch batch;
  private @Nullable LogSegment current;
  private @Nullable LogSegment next;
  private @Nullable IOException refusal;
  private boolean diskFull;
  private int sequenceCount;
  private long durablePosition;
  private long attentionOffset;
  private long appended;
  private long completed;
  private boolean failed;
  private boolean closed;

  /**
   * Creates a log; its first segment is prepared by {@link #warmUp} or the first append. Large
   * mutations take memory from the segments.
   */
  public CommitLog(
      FileSystem files,
      Scheduler shard,
      Executor io,
      LogOptions options,
      Owner owner,
      Consumer<? super Exception> fatal,
      LargeSegments segments) {
    this.batch = new LogBatch(segments);
    this.unsynced = new UnsyncedBatches(segments);
    this.files = files;
    this.shard = shard;
    this.options = options;
    this.owner = owner;
    this.fatal = fatal;
    this.supply = new SegmentSupply(files, shard, io, options, new Supplied());
    this.sync = new LogSync(shard, io, options, new Synced());
  }

  /** Prepares the first segment, so that the first write does not have to wait for it. */
  public void warmUp() {
    if (current == null && next == null) {
      supply.prepare(sequenceCount);
    }
  }

  /** The id of this log. */
  public long logId() {
    return options.logId();
  }

  /** The maximum length of a payload. */
  public int payloadLimitBytes() {
    return options.payloadLimitBytes();
  }

  /** The end of the log: all records so far are before this position, later ones at or after it. */
  public long endPosition() {
    LogSegment segment = current;
    return segment == null
        ? LogPosition.START
        : LogPosition.of(segment.sequence(), segment.endOffset);
  }

  /** The position up to which the log is durable. */
  public long durablePosition() {
    return durablePosition;
  }

  /** The size of the segments in use, in bytes. */
  public long liveBytes() {
    return (long) live.size() * options.segmentBytes();
  }

  /** What the log has done and holds. */
  public CommitLogStatistics statistics() {
    return new CommitLogStatistics(liveBytes(), completed, appended - completed);
  }

  /** The sequence of the oldest segment in use. */
  public int oldestSequence() {
    LogSegment oldest = live.peekFirst();
    return oldest == null ? 0 : oldest.sequence();
  }

  /** Why nothing can be appended at the moment, if known. */
  public @Nullable IOException refusal() {
    return refusal;
  }

  /** Whether a write or sync has failed, which is final. */
  public boolean isFailed() {
    return failed;
  }

  /** Whether {@link #endTick} has anything to write. */
  public boolean tickPending() {
    return batch.count() > 0;
  }

  /**
   * Appends a record; returns its position, or {@link #NO_ROOM}. The batch keeps the tag with it.
   */
  public long append(MemorySegment payload, long offset, int length, @Nullable Object tag) {
    return append(ORIGINAL, payload, offset, length, tag);
  }

  /**
   * Appends a copy of a record of this log, or of some of its tables: a replay treats it as the
   * record at the position of the original. The owner receives it with the tag {@link #COPY}.
   */
  public long appendCopy(long original, MemorySegment mutation, long offset, int length) {
    return append(original, mutation, offset, length, COPY);
  }

  private long append(
      long original, MemorySegment payload, long offset, int length, @Nullable Object tag) {
    int headBytes = original == ORIGINAL ? 0 : Long.BYTES;
    int recordBytes = RecordFormat.recordBytes(headBytes + length);
    LogSegment segment = current;
    if (segment == null || segment.endOffset + recordBytes > segment.allocatedBytes) {
      segment = makeRoom(recordBytes);
      if (segment == null) {
        return NO_ROOM;
      }
    }
    long position = LogPosition.of(segment.sequence(), segment.endOffset);
    int at = batch.bytes.size();
    try {
      int field = headBytes + length | (original == ORIGINAL ? 0 : RecordFormat.COPY);
      putRecord(segment, field, original, payload, offset, length);
      batch.add(position, at + RecordFormat.HEADER_BYTES + headBytes, length, tag);
    } catch (Throwable e) {
      // a partial record would be written with the tick's other records and damage the log
      batch.bytes.truncate(at);
      throw e;
    }
    appended++;
    segment.endOffset += recordBytes;
    if (segment.endOffset > attentionOffset) {
      lookAhead(segment);
    }
    return position;
  }

  private void putRecord(
      LogSegment segment,
      int lengthField,
      long original,
      MemorySegment payload,
      long offset,
      int length) {
    ByteWriter bytes = batch.bytes;
    int at = bytes.size();
    RecordFormat.begin(bytes, lengthField, segment.header, durablePosition);
    if (original != ORIGINAL) {
      bytes.putLong(original);
    }
    bytes.putBytes(payload, offset, length);
    RecordFormat.end(bytes, at, checksum);
  }

  private @Nullable LogSegment makeRoom(int recordBytes) {
    if (failed || refusal != null) {
      return null;
    }
    LogSegment segment = current;
    if (segment == null || segment.endOffset + recordBytes > options.segmentBytes()) {
      segment = nextSegment();
      if (segment == null) {
        return null;
      }
    }
    if (segment.endOffset + recordBytes > segment.allocatedBytes) {
      supply.extend(segment, segment.endOffset + recordBytes - segment.allocatedBytes);
      return null;
    }
    return segment;
  }

  private @Nullable LogSegment nextSegment() {
    LogSegment ready = next;
    if (ready == null) {
      supply.prepare(sequenceCount);
      return null;
    }
    LogSegment full = current;
    if (full != null && !finish(full)) {
      return null;
    }
    next = null;
    current = ready;
    sequenceCount = ready.sequence() + 1;
    live.add(ready);
    attentionOffset = 0;
    lookAhead(ready);
    return ready;
  }

  /** Writes the rest of a segment and its end mark, and starts to sync it. */
  private boolean finish(LogSegment full) {
    if (full.endOffset + RecordFormat.HEADER_BYTES <= full.allocatedBytes) {
      int at = batch.bytes.size();
      try {
        putRecord(full, RecordFormat.END_MARK, ORIGINAL, MemorySegment.NULL, 0, 0);
      } catch (Throwable e) {
        batch.bytes.truncate(at);
        throw e;
      }
      full.endOffset += RecordFormat.HEADER_BYTES;
    }
    if (!writeBatch(full)) {
      return false;
    }
    sync.writtenTo(LogPosition.of(full.sequence() + 1, 0));
    sync.request();
    return true;
  }

  private void lookAhead(LogSegment segment) {
    if (refusal != null) {
      // the disk is full: a timer retries
      return;
    }
    if (segment.allocatedBytes < options.segmentBytes()) {
      if (segment.allocatedBytes - segment.endOffset < supply.aheadBytes()) {
        supply.extend(segment, 0);
      }
      attentionOffset = segment.allocatedBytes - supply.aheadBytes();
    } else if (segment.endOffset > options.segmentBytes() / 2) {
      if (next == null) {
        supply.prepare(sequenceCount);
      }
      attentionOffset = Long.MAX_VALUE;
    } else {
      attentionOffset = options.segmentBytes() / 2;
    }
  }

  /** Writes the tick's records. */
  public void endTick() {
    LogSegment segment = current;
    if (segment == null || failed) {
      return;
    }
    if (batch.count() == 0) {
      batch.clear();
      return;
    }
    if (!writeBatch(segment)) {
      return;
    }
    LogBatch done = batch;
    done.end = sync.writtenPosition();
    batch = unsynced.take();
    if (options.syncMode() == SyncMode.PERIODIC) {
      completed += done.count();
      owner.onDurable(done);
      unsynced.reuse(done);
    } else {
      unsynced.add(done);
    }
    sync.startIfDue();
  }

  private boolean writeBatch(LogSegment segment) {
    int from = batch.writtenBytes;
    int length = batch.bytes.size() - from;
    if (length > 0) {
      try {
        segment.file.write(segment.writtenOffset, batch.bytes.segment(), from, length);
      } catch (IOException e) {
        fail(e);
        return false;
      }
      batch.writtenBytes = batch.bytes.size();
      segment.writtenOffset += length;
      sync.written(segment);
    }
    sync.writtenTo(LogPosition.of(segment.sequence(), segment.writtenOffset));
    return true;
  }

  /** Requests a sync of everything appended so far, as soon as possible. */
  public void requestSync() {
    sync.request();
  }

  /**
   * Releases the segments that end at or before a position, are durable, and whose records have all
   * been handed to the owner.
   */
  public void release(long neededFrom) {
    long limit = Math.min(Math.min(neededFrom, durablePosition), oldestPendingPosition());
    List<LogSegment> unneeded = new ArrayList<>();
    LogSegment oldest = live.peekFirst();
    while (oldest != null
        && oldest.sequence() < LogPosition.sequence(limit)
        && !supply.isExtending(oldest)) {
      unneeded.add(live.removeFirst());
      oldest = live.peekFirst();
    }
    if (!unneeded.isEmpty()) {
      supply.giveBack(unneeded);
    }
  }

  /**
   * The first record that the owner has not received. A tick that spans two segments can be durable
   * in the first one and still wait for the sync of the second.
   */
  private long oldestPendingPosition() {
    LogBatch waiting = unsynced.oldest();
    LogBatch oldest = waiting == null ? batch : waiting;
    return oldest.count() == 0 ? Long.MAX_VALUE : oldest.position(0);
  }

  private void fail(IOException why) {
    if (!failed && !closed) {
      failed = true;
      sync.stop();
      fatal.accept(why);
    }
  }

  /**
   * Syncs and closes all segments. Deletes them instead if they are not needed because all
   * memtables have been flushed. Must be called after the last tick and the last sync.
   */
  public void close(boolean unneeded) throws IOException {
    closed = true;
    sync.stop();
    if (!failed && !unneeded) {
      sync.syncNow();
    }
    LogSegment ready = next;
    if (ready != null) {
      live.add(ready);
      next = null;
    }
    for (LogSegment segment : live) {
      segment.file.close();
    }
    if (!failed && unneeded) {
      for (LogSegment segment : live) {
        files.delete(segment.livePath());
        files.syncFolder(LogFiles.FOLDER);
      }
    }
    live.clear();
    supply.close();
  }

  /** Passes durable batches to the owner. */
  private final class Synced implements LogSync.Receiver {
    @Override
    public void onSynced(long position) {
      durablePosition = position;
      LogBatch first = unsynced.oldestBefore(position);
      while (first != null) {
        completed += first.count();
        owner.onDurable(first);
        unsynced.removeOldest();
        first = unsynced.oldestBefore(position);
      }
      owner.onSynced();
    }

    @Override
    public void onSyncFailed(IOException why) {
      fail(why);
    }
  }

  /** Receives segments from the supply. */
  private final class Supplied implements SegmentSupply.Receiver {
    @Override
    public void onPrepared(LogSegment segment) {
      next = segment;
      diskFull = false;
      owner.onRoom();
    }

    @Override
    public void onExtended(LogSegment segment) {
      if (segment == current) {
        attentionOffset = 0;
      }
      diskFull = false;
      owner.onRoom();
    }

    @Override
    public void onNoSpace(IOException why) {
      refusal = why;
      Scheduler.Timer timer = shard.schedule(this::retry, RETRY_NANOS);
      assert timer != null;
      boolean again = diskFull;
      diskFull = true;
      owner.onDiskFull(why, again);
    }

    private void retry() {
      refusal = null;
      attentionOffset = 0;
      owner.onRoom();
    }

    @Override
    public void onSyncFailed(IOException why) {
      fail(why);
    }
  }
}
