package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;

/**
 * A blocked Bloom filter over 64-bit hashes. All bits of a hash lie in one 64-byte block, so a
 * lookup touches one cache line. Layout: number of probes u8, seven zero bytes, then the blocks.
 * Built by one thread; may be queried from any thread.
 */
public final class BloomFilter {
  private static final int HEADER_BYTES = 8;
  private static final int BLOCK_BYTES = 64;
  private static final int PROBES_LIMIT = 16;

  private final MemorySegment segment;
  private final long offset;
  private final long blocks;
  private final int probes;

  private BloomFilter(MemorySegment segment, long offset, long blocks, int probes) {
    this.segment = segment;
    this.offset = offset;
    this.blocks = blocks;
    this.probes = probes;
  }

  /** The size in bytes of a filter for the given number of hashes. */
  public static long sizeBytes(long hashes, double falsePositiveChance) {
    double chance = Math.min(0.5, Math.max(1e-6, falsePositiveChance));
    // blocks fill unevenly, which costs about a fifth more bits than the classical formula
    double bitsPerHash = -Math.log(chance) / (Math.log(2) * Math.log(2)) * 1.2;
    long blocks = (long) (Math.max(1, hashes) * bitsPerHash / (8 * BLOCK_BYTES)) + 1;
    return HEADER_BYTES + blocks * BLOCK_BYTES;
  }

  /** An empty filter in a zeroed slice of {@link #sizeBytes}. */
  public static BloomFilter create(
      MemorySegment segment, long offset, long sizeBytes, double falsePositiveChance) {
    int probes = (int) Math.round(-Math.log(Math.max(1e-6, falsePositiveChance)) / Math.log(2));
    probes = Math.min(PROBES_LIMIT, Math.max(1, probes));
    Bytes.setByte(segment, offset, (byte) probes);
    return new BloomFilter(segment, offset, (sizeBytes - HEADER_BYTES) / BLOCK_BYTES, probes);
  }

  /**
   * A filter over the bytes of a filter that {@link #create} made.
   *
   * @throws IllegalArgumentException if the slice is not a filter
   */
  public static BloomFilter read(MemorySegment segment, long offset, long sizeBytes) {
    long rest = sizeBytes - HEADER_BYTES;
    if (rest < BLOCK_BYTES || rest % BLOCK_BYTES != 0) {
      throw new IllegalArgumentException("invalid Bloom filter size: " + sizeBytes + " bytes");
    }
    int probes = Bytes.getUnsignedByte(segment, offset);
    if (probes < 1 || probes > PROBES_LIMIT) {
      throw new IllegalArgumentException("invalid Bloom filter: " + probes + " probes");
    }
    return new BloomFilter(segment, offset, rest / BLOCK_BYTES, probes);
  }

  /** Adds a hash. */
  public void add(long hash) {
    long block = blockOffset(hash);
    int position = (int) hash;
    int step = (int) (hash >>> 17) | 1;
    for (int i = 0; i < probes; i++) {
      long at = block + ((position >>> 3) & (BLOCK_BYTES - 1));
      int bit = 1 << (position & 7);
      Bytes.setByte(segment, at, (byte) (Bytes.getByte(segment, at) | bit));
      position += step;
    }
  }

  /** False if the hash was certainly not added. */
  public boolean mayContain(long hash) {
    long block = blockOffset(hash);
    int position = (int) hash;
    int step = (int) (hash >>> 17) | 1;
    for (int i = 0; i < probes; i++) {
      int b = Bytes.getByte(segment, block + ((position >>> 3) & (BLOCK_BYTES - 1)));
      if ((b & (1 << (position & 7))) == 0) {
        return false;
      }
      position += step;
    }
    return true;
  }

  private long blockOffset(long hash) {
    long block = Math.unsignedMultiplyHigh(hash * 0x9E3779B97F4A7C15L, blocks);
    return offset + HEADER_BYTES + block * BLOCK_BYTES;
  }
}
