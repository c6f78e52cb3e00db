package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageEngine.WriteListener;
import io.helenus.storage.memory.LargeSegments;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A queue of mutations that wait for room in the log or in memory, limited by number and by bytes,
 * except that one of any size may wait. They count against the share of memtables. Shard thread
 * only.
 */
final class WaitingWrites {
  private static final int COUNT_LIMIT = 4_096;

  /** A waiting mutation. */
  record Waiting(ByteWriter bytes, WriteListener listener) {}

  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private final LargeSegments segments;
  private final long limitBytes;
  private long bytes;

  /** An empty queue. */
  WaitingWrites(LargeSegments segments, long limitBytes) {
    this.segments = segments;
    this.limitBytes = limitBytes;
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Adds a copy of a mutation; false if the queue is full. */
  boolean add(MemorySegment mutation, long offset, int length, WriteListener listener) {
    boolean full = queue.size() >= COUNT_LIMIT || bytes + length > limitBytes;
    if (full && !queue.isEmpty()) {
      return false;
    }
    ByteWriter copy = ByteWriter.recycling(segments, length).putBytes(mutation, offset, length);
    if (!isLarge(copy)) {
      segments.share().take(copy.capacity());
    }
    queue.add(new Waiting(copy, listener));
    bytes += length;
    return true;
  }

  /** Whether the segments count the memory of a mutation. */
  private static boolean isLarge(ByteWriter copy) {
    return copy.capacity() >= LargeSegments.SMALLEST_BYTES;
  }

  @Nullable Waiting first() {
    return queue.peek();
  }

  void removeFirst() {
    Waiting removed = queue.remove();
    ByteWriter copy = removed.bytes;
    bytes -= copy.size();
    if (!isLarge(copy)) {
      segments.share().giveBack(copy.capacity());
    }
    copy.clear(0);
  }
}
