package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.BloomFilter;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.SlabPool;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Builds a file's Bloom filter. Hashes are buffered until the file ends, so that the filter can be
 * sized exactly; above a limit it is sized by the expected number of entries. One thread.
 */
final class FilterBuilder {
  private static final int KEPT_LIMIT = 1 << 20;

  private final double falsePositiveChance;
  private final long expectedEntries;
  private final SlabPool slabs;
  private final ByteWriter kept;
  private @Nullable BloomFilter filter;
  private @Nullable MemorySegment slab;
  private MemorySegment bits = MemorySegment.NULL;

  FilterBuilder(
      double falsePositiveChance, long expectedEntries, SlabPool slabs, LargeSegments segments) {
    this.slabs = slabs;
    kept = ByteWriter.recycling(segments, 1024);
    this.falsePositiveChance = falsePositiveChance;
    this.expectedEntries = expectedEntries;
  }

  /**
   * Adds a hash.
   *
   * @param entriesSoFar the number of entries in the file so far
   */
  void add(long hash, long entriesSoFar) {
    BloomFilter made = filter;
    if (made != null) {
      made.add(hash);
      return;
    }
    kept.putLong(hash);
    long hashes = kept.size() / Long.BYTES;
    if (hashes == KEPT_LIMIT) {
      double hashesPerEntry = (double) hashes / Math.max(1, entriesSoFar);
      make(Math.max(2 * hashes, (long) (hashesPerEntry * expectedEntries)));
    }
  }

  private void make(long hashes) {
    long size = BloomFilter.sizeBytes(hashes, falsePositiveChance);
    MemorySegment taken = slabs.take(size);
    slab = taken;
    bits = taken.asSlice(0, size).fill((byte) 0);
    BloomFilter made = BloomFilter.create(bits, 0, size, falsePositiveChance);
    for (int at = 0; at < kept.size(); at += Long.BYTES) {
      made.add(Bytes.getLong(kept.segment(), at));
    }
    kept.clear(0);
    filter = made;
  }

  /** The bytes of the filter, until {@link #close}. */
  MemorySegment finish() {
    if (slab == null) {
      make(kept.size() / Long.BYTES);
    }
    return bits;
  }

  /** Releases its memory. */
  void close() {
    kept.clear(0);
    MemorySegment taken = slab;
    if (taken != null) {
      slab = null;
      bits = MemorySegment.NULL;
      slabs.giveBack(taken);
    }
  }
}
