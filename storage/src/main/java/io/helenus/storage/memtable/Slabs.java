package io.helenus.storage.memtable;

import io.helenus.storage.memory.SlabPool;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The memory of one memtable: slabs from a pool, the first ones small, filled sequentially and
 * freed all at once. A reference is a slab number and an offset, never 0. One writer; other threads
 * may read after a safe publication.
 */
final class Slabs {
  /** The null reference. */
  static final long NONE = 0;

  private static final int OWN_SLAB_BYTES = SlabPool.LARGEST_BYTES / 4;

  private final SlabPool pool;
  private MemorySegment[] slabs = new MemorySegment[4];
  private int count;
  private int current = -1;
  private long used;
  private long bytes;

  Slabs(SlabPool pool) {
    this.pool = pool;
  }

  /** Allocates memory aligned to eight bytes, contents undefined; returns a reference. */
  long allocate(long wantedBytes) {
    long size = (wantedBytes + 7) & -8L;
    if (size > OWN_SLAB_BYTES) {
      return reference(add(size), 0);
    }
    if (current < 0 || slabs[current].byteSize() - used < size) {
      long next = Math.min(SlabPool.LARGEST_BYTES, (long) SlabPool.SMALLEST_BYTES << count);
      current = add(Math.max(next, size));
      used = 0;
    }
    long at = used;
    used += size;
    return reference(current, at);
  }

  private static long reference(int slab, long offset) {
    return (slab + 1L) << 32 | offset;
  }

  private int add(long size) {
    if (count == slabs.length) {
      slabs = Arrays.copyOf(slabs, count * 2);
    }
    MemorySegment slab = pool.take(size);
    bytes += slab.byteSize();
    slabs[count] = slab;
    return count++;
  }

  /** The memory that a reference points into. */
  MemorySegment segment(long reference) {
    return slabs[(int) (reference >>> 32) - 1];
  }

  /** The offset in {@link #segment} that a reference points to. */
  static long offset(long reference) {
    return reference & 0xFFFFFFFFL;
  }

  /** The size of all slabs in bytes. */
  long bytes() {
    return bytes;
  }

  /** Frees all slabs; references become invalid. */
  void free() {
    for (int i = 0; i < count; i++) {
      pool.giveBack(slabs[i]);
    }
    slabs = new MemorySegment[4];
    count = 0;
    current = -1;
    bytes = 0;
  }
}
