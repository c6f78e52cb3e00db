package io.helenus.storage.engine.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageEngine.WriteListener;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A bounded queue of mutations that wait for room in the log or in memory. Shard thread only. */
final class WaitingWrites {
  private static final int COUNT_LIMIT = 4_096;
  private static final long BYTES_LIMIT = 8L << 20;

  /** A waiting mutation. */
  record Waiting(ByteWriter bytes, WriteListener listener) {}

  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private long bytes;

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Adds a copy of a mutation; false if the queue is full. */
  boolean add(MemorySegment mutation, long offset, int length, WriteListener listener) {
    if (queue.size() >= COUNT_LIMIT || bytes + length > BYTES_LIMIT) {
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
    Waiting gone = queue.remove();
    bytes -= gone.bytes.size();
  }
}
