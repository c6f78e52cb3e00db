package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A place at which all replies end, or have a gap to the end of the partition: the key of a bound,
 * which is a part of the contents of a writer. Immutable as long as that only grows.
 */
record Stop(ByteWriter bytes, int offset, int length, int prefixLength) {
  /** The key appended last to a writer, from an offset on. */
  static Stop last(ByteWriter bytes, int offset, int prefixLength) {
    return new Stop(bytes, offset, bytes.size() - offset, prefixLength);
  }

  MemorySegment segment() {
    return bytes.segment();
  }

  int compare(Stop other) {
    return Bytes.compare(segment(), offset, length, other.segment(), other.offset, other.length);
  }

  /** How a key is ordered with this one. */
  int orderOf(ByteWriter key) {
    return Bytes.compare(key.segment(), 0, key.size(), segment(), offset, length);
  }

  boolean isInPartitionOf(Stop other) {
    return prefixLength == other.prefixLength
        && Bytes.equal(
            segment(), offset, prefixLength, other.segment(), other.offset, prefixLength);
  }
}
