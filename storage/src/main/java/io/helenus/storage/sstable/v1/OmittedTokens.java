package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * The tokens that entries of an index leave out, because they follow from the partition key. One
 * thread.
 */
final class OmittedTokens {
  /** The end of an escaped partition key. */
  private static final int TERMINATOR_BYTES = 2;

  private final ByteWriter unescaped = new ByteWriter(64);

  /**
   * Whether the token of a prefix, with which the slice starts, can be {@linkplain #compute
   * computed}. It cannot if something else than the partitioner has made it.
   */
  boolean isRedundant(MemorySegment key, long offset, int prefixLength) {
    return prefixLength >= KeyFormat.TOKEN_BYTES + TERMINATOR_BYTES
        && compute(key, offset, prefixLength) == Bytes.getLong(key, offset);
  }

  /**
   * The eight bytes of the token of a prefix, computed from what follows them. Whatever that is,
   * the same bytes have the same token.
   */
  long compute(MemorySegment key, long offset, int prefixLength) {
    long end = offset + prefixLength - TERMINATOR_BYTES;
    unescaped.clear();
    for (long at = offset + KeyFormat.TOKEN_BYTES; at < end; at++) {
      int value = Bytes.getByte(key, at);
      unescaped.putByte(value);
      if (value == 0) {
        at++;
      }
    }
    return Murmur3.token(unescaped.segment(), 0, unescaped.size()) ^ Long.MIN_VALUE;
  }
}
