package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The token of a partition key: the first 64 bits of MurmurHash3 x64 128, seed 0, as computed by
 * Cassandra's Murmur3Partitioner. It differs from the published hash for keys whose last,
 * incomplete block contains bytes of 0x80 or more: Cassandra treats them as signed. Stateless;
 * allocates nothing.
 */
public final class Murmur3 {
  private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;

  private Murmur3() {}

  /**
   * The token of a key. Long.MIN_VALUE is the token of the empty key only; a hash of that value
   * becomes Long.MAX_VALUE.
   */
  public static long token(MemorySegment key, long offset, long length) {
    if (length == 0) {
      return Long.MIN_VALUE;
    }
    long hash = hash(key, offset, length);
    return hash == Long.MIN_VALUE ? Long.MAX_VALUE : hash;
  }

  /** As {@link #token(MemorySegment, long, long)}, for cold paths. */
  public static long token(byte[] key) {
    ByteWriter copy = new ByteWriter(key.length).putBytes(key);
    return token(copy.segment(), 0, key.length);
  }

  private static long hash(MemorySegment key, long offset, long length) {
    long h1 = 0;
    long h2 = 0;
    long blocksEnd = offset + (length & ~15L);
    for (long at = offset; at < blocksEnd; at += 16) {
      long k1 = key.get(LITTLE_ENDIAN_LONG, at);
      long k2 = key.get(LITTLE_ENDIAN_LONG, at + 8);
      h1 ^= mixFirst(k1);
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729L;
      h2 ^= mixSecond(k2);
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5L;
    }
    int tail = (int) (length & 15);
    if (tail > 8) {
      h2 ^= mixSecond(signedTail(key, blocksEnd + 8, tail - 8));
    }
    if (tail > 0) {
      h1 ^= mixFirst(signedTail(key, blocksEnd, Math.min(tail, 8)));
    }
    h1 ^= length;
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    return finish(h1) + finish(h2);
  }

  /** Up to eight bytes, lowest first, each sign-extended before it is XORed in. */
  private static long signedTail(MemorySegment key, long offset, int bytes) {
    long k = 0;
    for (int i = 0; i < bytes; i++) {
      k ^= (long) key.get(ValueLayout.JAVA_BYTE, offset + i) << (8 * i);
    }
    return k;
  }

  private static long mixFirst(long k1) {
    return Long.rotateLeft(k1 * C1, 31) * C2;
  }

  private static long mixSecond(long k2) {
    return Long.rotateLeft(k2 * C2, 33) * C1;
  }

  private static long finish(long h) {
    long k = h;
    k ^= k >>> 33;
    k *= 0xff51afd7ed558ccdL;
    k ^= k >>> 33;
    k *= 0xc4ceb9fe1a85ec53L;
    k ^= k >>> 33;
    return k;
  }
}
