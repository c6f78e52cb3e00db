package io.helenus.storage.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A pool of native memory for memtables, cached blocks and filters: slabs whose sizes are powers of
 * two from 4 KiB to 1 MiB, and larger ones of any multiple of {@link LargeSegments}. Slabs are
 * reused and never freed, because closing a shared arena stalls every thread. Small ones are
 * allocated several at a time, because the JVM adds a page to each allocation that is aligned to
 * one: it would double the memory of the memtables of many small tables. The pages of those that
 * are not needed are returned to the system by {@link #trim}. What is in use counts against a
 * share. Any thread.
 */
public final class SlabPool {
  /** The largest pooled slab. */
  public static final int LARGEST_BYTES = 1 << 20;

  /** The smallest slab. */
  public static final int SMALLEST_BYTES = 1 << 12;

  private static final int PAGE_BYTES = 1 << 12;
  private static final int ALLOCATED_BYTES = 1 << 16;
  private static final int CLASSES =
      Integer.numberOfTrailingZeros(LARGEST_BYTES / SMALLEST_BYTES) + 1;

  private final Arena arena;
  private final MemoryShare share;
  private final LargeSegments large;
  private final FreeSegments[] free = new FreeSegments[CLASSES];

  /** The rest of the memory that was allocated last for each size. */
  private final MemorySegment[] uncut = new MemorySegment[CLASSES];

  /**
   * A pool that allocates from an arena, which must stay open while the pool is used.
   *
   * @param share counts the slabs in use; the callers limit them
   * @param large supplies what exceeds {@link #LARGEST_BYTES}; must count against the same share
   */
  public SlabPool(Arena arena, MemoryShare share, LargeSegments large) {
    this.arena = arena;
    this.share = share;
    this.large = large;
    for (int i = 0; i < CLASSES; i++) {
      free[i] = new FreeSegments();
      uncut[i] = MemorySegment.NULL;
    }
  }

  /** A pool without a limit that keeps the pages of free slabs, for tools and tests. */
  public SlabPool(Arena arena) {
    this(arena, MemoryShare.unlimited(), new LargeSegments());
  }

  /** The share that the slabs count against. */
  public MemoryShare share() {
    return share;
  }

  /** A slab of at least {@code bytes} bytes, with undefined contents. */
  public MemorySegment take(long bytes) {
    if (bytes > LARGEST_BYTES) {
      return large.take(bytes);
    }
    int sizeClass = sizeClass((int) bytes);
    long size = (long) SMALLEST_BYTES << sizeClass;
    @Nullable MemorySegment slab;
    synchronized (free) {
      slab = free[sizeClass].poll();
      if (slab == null) {
        slab = free[sizeClass].pollDiscarded();
      }
      if (slab == null) {
        slab = cut(sizeClass, size);
      }
    }
    share.take(size);
    return slab;
  }

  /** A slab that has not been used: the next one of the memory that was allocated last. */
  private MemorySegment cut(int sizeClass, long size) {
    MemorySegment memory = uncut[sizeClass];
    if (memory.byteSize() == 0) {
      memory = arena.allocate(Math.max(size, ALLOCATED_BYTES), PAGE_BYTES);
    }
    uncut[sizeClass] = memory.asSlice(size);
    return memory.asSlice(0, size);
  }

  /** The size of the slab that {@link #take} returns. */
  public static long rounded(long bytes) {
    return bytes > LARGEST_BYTES
        ? LargeSegments.rounded(bytes)
        : (long) SMALLEST_BYTES << sizeClass((int) bytes);
  }

  /** Returns a slab to the pool. */
  public void giveBack(MemorySegment slab) {
    long size = slab.byteSize();
    if (size > LARGEST_BYTES) {
      large.giveBack(slab);
      return;
    }
    synchronized (free) {
      free[sizeClass((int) size)].add(slab);
    }
    share.giveBack(size);
  }

  /** The memory of free slabs that has not been returned to the system. */
  public long keptBytes() {
    long kept = 0;
    synchronized (free) {
      for (int i = 0; i < CLASSES; i++) {
        kept += (long) free[i].resident() * SMALLEST_BYTES << i;
      }
    }
    return kept + large.keptBytes();
  }

  /**
   * Returns to the system the pages of slabs that were not needed since the last call. One thread
   * at a time.
   */
  public void trim(PageDiscard pages) {
    for (FreeSegments each : free) {
      synchronized (free) {
        each.beginTrim();
      }
      @Nullable MemorySegment slab = takeUnneeded(each);
      while (slab != null) {
        pages.discard(slab);
        synchronized (free) {
          each.addDiscarded(slab);
        }
        slab = takeUnneeded(each);
      }
    }
    large.trim();
  }

  private @Nullable MemorySegment takeUnneeded(FreeSegments slabs) {
    synchronized (free) {
      return slabs.takeUnneeded();
    }
  }

  private static int sizeClass(int bytes) {
    int rounded = Math.max(SMALLEST_BYTES, Integer.highestOneBit(bytes - 1) << 1);
    return Integer.numberOfTrailingZeros(rounded / SMALLEST_BYTES);
  }
}
