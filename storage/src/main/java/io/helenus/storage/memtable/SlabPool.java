package io.helenus.storage.memtable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool of native memory in slabs whose sizes are powers of two from 4 KiB to 1 MiB. Slabs are
 * reused and never freed, because closing a shared arena stalls every thread. Any thread.
 */
public final class SlabPool {
  /** The largest pooled slab. */
  public static final int LARGEST_BYTES = 1 << 20;

  /** The smallest slab. */
  public static final int SMALLEST_BYTES = 1 << 12;

  private static final int CLASSES =
      Integer.numberOfTrailingZeros(LARGEST_BYTES / SMALLEST_BYTES) + 1;

  private final Arena arena;
  private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>(CLASSES);
  private long allocatedBytes;

  /** A pool that allocates from an arena, which must stay open while the pool is used. */
  public SlabPool(Arena arena) {
    this.arena = arena;
    for (int i = 0; i < CLASSES; i++) {
      free.add(new ArrayDeque<>());
    }
  }

  /**
   * A slab of at least {@code bytes} bytes, with undefined contents. A slab above {@link
   * #LARGEST_BYTES} is not pooled but freed by the garbage collector.
   */
  public MemorySegment take(long bytes) {
    if (bytes > LARGEST_BYTES) {
      return Arena.ofAuto().allocate(bytes, 8);
    }
    int sizeClass = sizeClass((int) bytes);
    synchronized (free) {
      MemorySegment slab = free.get(sizeClass).pollLast();
      if (slab != null) {
        return slab;
      }
      long size = (long) SMALLEST_BYTES << sizeClass;
      MemorySegment made = arena.allocate(size, 64);
      allocatedBytes += size;
      return made;
    }
  }

  /** Returns a slab to the pool. */
  public void giveBack(MemorySegment slab) {
    if (slab.byteSize() <= LARGEST_BYTES) {
      synchronized (free) {
        free.get(sizeClass((int) slab.byteSize())).addLast(slab);
      }
    }
  }

  /** The size of all pooled memory, in use or free. */
  public long allocatedBytes() {
    synchronized (free) {
      return allocatedBytes;
    }
  }

  private static int sizeClass(int bytes) {
    int rounded = Math.max(SMALLEST_BYTES, Integer.highestOneBit(bytes - 1) << 1);
    return Integer.numberOfTrailingZeros(rounded / SMALLEST_BYTES);
  }
}
