package io.helenus.storage.engine.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageEngine.WriteListener;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A queue of mutations that wait for room in the log or in memory, limited by number and by bytes.
 * Shard thread only.
 */
final class WaitingWrites {
  private static final int COUNT_LIMIT = 4_096;
  private static final long MIN_LIMIT_BYTES = 8L << 20;

  /** A waiting mutation. */
  record Waiting(ByteWriter bytes, WriteListener listener) {}

  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private final long limitBytes;
  private long bytes;

  /**
   * An empty queue.
   *
   * @param largestBytes the maximum size of a mutation; two of that size fit into the queue
   */
  WaitingWrites(long largestBytes) {
    limitBytes = Math.max(MIN_LIMIT_BYTES, 2 * largestBytes);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Adds a copy of a mutation; false if the queue is full. */
  boolean add(MemorySegment mutation, long offset, int length, WriteListener listener) {
    if (queue.size() >= COUNT_LIMIT || bytes + length > limitBytes) {
      return false;
    }
    ByteWriter copy = new ByteWriter(length).putBytes(mutation, offset, length);
    queue.add(new Waiting(copy, listener));
    bytes += length;
    return true;
  }

  @Nullable Waiting first() {
    return queue.peek();
  }

  void removeFirst() {
    Waiting removed = queue.remove();
    bytes -= removed.bytes.size();
  }
}
