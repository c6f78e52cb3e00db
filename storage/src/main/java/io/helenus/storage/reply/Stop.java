package io.helenus.storage.reply;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A place at which all replies end, or have a gap to the end of the partition: the key of a bound.
 * Immutable.
 */
record Stop(byte[] key, int prefixLength) {
  MemorySegment segment() {
    return MemorySegment.ofArray(key);
  }

  boolean isInPartitionOf(Stop other) {
    return prefixLength == other.prefixLength
        && Arrays.equals(key, 0, prefixLength, other.key, 0, prefixLength);
  }
}
