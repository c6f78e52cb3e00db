package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.BloomFilter;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.Arena;
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
  private final ByteWriter kept = new ByteWriter(1024);
  private @Nullable BloomFilter filter;
  private @Nullable MemorySegment segment;

  FilterBuilder(double falsePositiveChance, long expectedEntries) {
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

  private MemorySegment make(long hashes) {
    long size = BloomFilter.sizeBytes(hashes, falsePositiveChance);
    MemorySegment memory = Arena.ofAuto().allocate(size, 64);
    BloomFilter made = BloomFilter.create(memory, 0, size, falsePositiveChance);
    for (int at = 0; at < kept.size(); at += Long.BYTES) {
      made.add(Bytes.getLong(kept.segment(), at));
    }
    kept.clear(1024);
    filter = made;
    segment = memory;
    return memory;
  }

  /** The bytes of the filter. */
  MemorySegment finish() {
    return segment != null ? segment : make(kept.size() / Long.BYTES);
  }
}
