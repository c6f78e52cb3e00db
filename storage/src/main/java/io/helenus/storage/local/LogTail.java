package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.log.CommitLog;
import io.helenus.storage.log.LiveSegment;
import io.helenus.storage.log.LogPosition;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Releases the oldest segment of a log that has grown too long. Large memtables that need it are
 * flushed. Small ones would make a file each, thousands of them if so many tables are seldom
 * written; what they need of the segment is copied to the end of the log instead:
 *
 * <ol>
 *   <li>an I/O thread reads the segment and collects the records of small memtables;
 *   <li>the shard appends them, some at a time, with the positions of the originals;
 *   <li>when the copies are durable, the memtables need the log only from the next segment on.
 * </ol>
 *
 * If the copies would take too much of the log, or cannot be made, the memtables are flushed. Shard
 * thread only, except {@link #collect}.
 */
final class LogTail {
  /** A memtable of this size is worth a file. */
  static final int LARGE_BYTES = 16 << 10;

  /** The part of a segment that copies may fill. */
  static final int COPIED_PART = 4;

  private static final int APPENDED_AT_ONCE = 128 << 10;
  private static final int COPY_HEADER_BYTES = Long.BYTES + Integer.BYTES;
  private static final long RETRY_NANOS = 10_000_000L;

  private final ShardEngine shard;
  private final CommitLog log;
  private final int segmentBytes;
  private int sequence = -1;
  private boolean busy;

  /** The positions of the first records of the small memtables, by table. */
  private final Map<Integer, Long> small = new HashMap<>();

  /** The records to append, each after its position and length; null while there are none. */
  private @Nullable ByteWriter copies;

  private int appendedBytes;
  private long durableAt = Long.MAX_VALUE;

  LogTail(ShardEngine shard, CommitLog log, int segmentBytes) {
    this.shard = shard;
    this.log = log;
    this.segmentBytes = segmentBytes;
  }

  /** Starts to release a segment, unless that has been done before. */
  void release(int oldest) {
    if (busy || oldest == sequence) {
      return;
    }
    sequence = oldest;
    small.clear();
    for (TableStore store : shard.stores().all()) {
      if (store.active().logPosition() >= end()) {
        continue;
      }
      if (store.active().bytes() > LARGE_BYTES || store.isTruncating()) {
        shard.switchAndFlush(store);
      } else {
        small.put(store.tableId(), store.active().firstPosition());
      }
    }
    if (!small.isEmpty()) {
      busy = true;
      Map<Integer, Long> wanted = Map.copyOf(small);
      shard.context().jobs().io().execute(() -> collect(wanted));
    }
  }

  /** The end of the segment. */
  private long end() {
    return LogPosition.of(sequence + 1, 0);
  }

  /** On an I/O thread. */
  private void collect(Map<Integer, Long> wanted) {
    ByteWriter found = ByteWriter.recycling(shard.context().memory().segments(Use.BUFFERS), 1024);
    Exception failure = null;
    try {
      MutationView view = new MutationView();
      new LiveSegment(
              shard.context().files(),
              log.logId(),
              sequence,
              shard.context().memory().segments(Use.BUFFERS))
          .read(
              (logId, position, segment, offset, length) -> {
                view.wrap(segment, offset, length);
                copy(view, position, wanted, found);
                if (found.size() > segmentBytes / COPIED_PART) {
                  throw new IllegalStateException("too much to copy");
                }
              });
    } catch (Throwable e) {
      // for example because the segment has been released meanwhile
      failure = shard.context().jobs().contain(e);
    }
    boolean collected = failure == null;
    shard.execute(() -> collected(found, collected));
  }

  /**
   * Copies the tables of a record that are wanted from this position on, each to one of its own.
   */
  private static void copy(
      MutationView view, long position, Map<Integer, Long> wanted, ByteWriter out) {
    while (view.nextTable()) {
      if (isWanted(view, position, wanted)) {
        out.putLong(position);
        int lengthAt = out.size();
        out.putInt(0);
        view.copyTable(out);
        out.setInt(lengthAt, out.size() - lengthAt - Integer.BYTES);
      }
    }
  }

  private static boolean isWanted(MutationView view, long position, Map<Integer, Long> wanted) {
    Long first = wanted.get(view.tableId());
    return first != null && position >= first;
  }

  private void collected(ByteWriter found, boolean complete) {
    if (complete) {
      copies = found;
      appendedBytes = 0;
      appendSome();
    } else {
      found.clear(0);
      flushAll();
    }
  }

  private void appendSome() {
    ByteWriter from = copies;
    if (from == null || log.isFailed()) {
      return;
    }
    int stop = appendedBytes + APPENDED_AT_ONCE;
    while (appendedBytes < from.size() && appendedBytes < stop) {
      MemorySegment segment = from.segment();
      int length = Bytes.getInt(segment, appendedBytes + Long.BYTES);
      long position =
          log.appendCopy(
              Bytes.getLong(segment, appendedBytes),
              segment,
              appendedBytes + COPY_HEADER_BYTES,
              length);
      if (position == CommitLog.NO_ROOM) {
        shard.endTick();
        shard.schedule(this::appendSome, RETRY_NANOS);
        return;
      }
      appendedBytes += COPY_HEADER_BYTES + length;
    }
    shard.endTick();
    if (appendedBytes < from.size()) {
      shard.execute(this::appendSome);
      return;
    }
    copies = null;
    from.clear(0);
    durableAt = log.endPosition();
    log.requestSync();
    onSynced();
  }

  /** More of the log is durable. */
  void onSynced() {
    if (!busy || log.durablePosition() < durableAt) {
      return;
    }
    for (Map.Entry<Integer, Long> each : small.entrySet()) {
      TableStore store = shard.stores().get(each.getKey());
      if (store != null && store.active().firstPosition() == each.getValue()) {
        store.active().logCopied(end());
      }
    }
    ended();
  }

  private void flushAll() {
    for (int tableId : small.keySet()) {
      TableStore store = shard.stores().get(tableId);
      if (store != null && store.active().logPosition() < end()) {
        shard.switchAndFlush(store);
      }
    }
    ended();
  }

  private void ended() {
    durableAt = Long.MAX_VALUE;
    busy = false;
    small.clear();
    shard.releaseLog();
  }
}
