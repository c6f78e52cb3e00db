package io.helenus.storage.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps large segments of native memory for reuse, with sizes that are powers of two. Memory from
 * an automatic arena is zeroed when it is allocated and freed only once the garbage collector runs,
 * which a node that leaves little garbage on the heap seldom does. A segment that is never given
 * back is left to the garbage collector. One per node, because the rows of a read may be appended
 * on one shard and released on another. Any thread.
 */
public final class LargeSegments {
  /** The size of the smallest segment to be kept. */
  static final int SMALLEST_BYTES = 64 << 10;

  private static final int LARGEST_BYTES = 8 << 20;
  private static final int KEPT_BYTES = 32 << 20;

  private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();
  private long freeBytes;

  /** Keeps nothing yet. */
  public LargeSegments() {
    for (int size = SMALLEST_BYTES; size <= LARGEST_BYTES; size *= 2) {
      free.add(new ArrayDeque<>());
    }
  }

  /** A segment of at least this size, with undefined contents. */
  MemorySegment take(long bytes) {
    if (bytes > LARGEST_BYTES) {
      return Arena.ofAuto().allocate(bytes, 8);
    }
    long size = Math.max(SMALLEST_BYTES, Long.highestOneBit(bytes - 1) << 1);
    MemorySegment kept = poll(size);
    return kept == null ? Arena.ofAuto().allocate(size, 8) : kept;
  }

  private synchronized @Nullable MemorySegment poll(long size) {
    MemorySegment segment = ofSize(size).pollLast();
    if (segment != null) {
      freeBytes -= size;
    }
    return segment;
  }

  /** Takes back a segment that nothing refers to any more; it may be of any size. */
  void giveBack(MemorySegment segment) {
    long size = segment.byteSize();
    if (size >= SMALLEST_BYTES && size <= LARGEST_BYTES && Long.bitCount(size) == 1) {
      add(segment, size);
    }
  }

  private synchronized void add(MemorySegment segment, long size) {
    if (freeBytes + size <= KEPT_BYTES) {
      ofSize(size).addLast(segment);
      freeBytes += size;
    }
  }

  private ArrayDeque<MemorySegment> ofSize(long size) {
    return free.get(Long.numberOfTrailingZeros(size / SMALLEST_BYTES));
  }
}
