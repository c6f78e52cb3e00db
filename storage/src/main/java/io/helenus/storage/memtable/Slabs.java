package io.helenus.storage.memtable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The memory of one memtable: slabs from a pool, the first ones small, filled from their start and
 * given back all at once. A reference is the number of the slab and the offset in it, never 0. One
 * writer; readers see what was handed over to them.
 */
final class Slabs {
  /** No record. */
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

  /** A reference to so many bytes, aligned to eight, contents undefined. */
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

  /** Where in {@link #segment} a reference points. */
  static long offset(long reference) {
    return reference & 0xFFFFFFFFL;
  }

  /** The bytes of all slabs. */
  long bytes() {
    return bytes;
  }

  /** Gives all slabs back; every reference is void. */
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
