package io.helenus.storage.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Cuts small segments of native memory from larger chunks. Each allocation from an automatic arena
 * registers a cleaner, which costs a microsecond and work for the garbage collector; here a few
 * dozen segments share one. A chunk is freed once none of its segments is reachable, so a segment
 * that is kept forever may keep {@link #CHUNK_BYTES}. One per thread.
 */
final class SmallSegments {
  /** The size of the largest segment to be cut from a chunk. */
  static final int LARGEST_BYTES = 1024;

  private static final int CHUNK_BYTES = 8 << 10;
  private static final int ALIGNMENT = 8;
  private static final ThreadLocal<SmallSegments> OF_THREAD =
      ThreadLocal.withInitial(SmallSegments::new);

  private MemorySegment chunk = MemorySegment.NULL;
  private long used;

  private SmallSegments() {}

  /** A zeroed segment of at least this size. */
  static MemorySegment allocate(long bytes) {
    return OF_THREAD.get().cut(bytes);
  }

  private MemorySegment cut(long bytes) {
    long rounded = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    if (chunk.byteSize() - used < rounded) {
      chunk = Arena.ofAuto().allocate(CHUNK_BYTES, ALIGNMENT);
      used = 0;
    }
    MemorySegment segment = chunk.asSlice(used, rounded);
    used += rounded;
    return segment;
  }
}
