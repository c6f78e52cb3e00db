package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/** The keys of the rows that a search may find: those of a partition, or a range. Immutable. */
public final class KeyRange {
  private final ByteWriter bounds;
  private final int lowerLength;
  private final int upperLength;
  private final boolean isPartition;

  private KeyRange(boolean isPartition, ByteWriter bounds, int lowerLength) {
    this.isPartition = isPartition;
    this.bounds = bounds;
    this.lowerLength = lowerLength;
    upperLength = bounds.size() - lowerLength;
  }

  /** The rows of a partition. */
  public static KeyRange partition(MemorySegment prefix, long offset, int length) {
    return new KeyRange(true, new ByteWriter(length + 1).putBytes(prefix, offset, length), length);
  }

  /** The rows with keys from [lower, upper); a length of 0 leaves that end open. */
  public static KeyRange range(
      MemorySegment bounds, long offset, int lowerLength, int upperLength) {
    ByteWriter copy = new ByteWriter(lowerLength + upperLength + 1);
    copy.putBytes(bounds, offset, lowerLength + upperLength);
    return new KeyRange(false, copy, lowerLength);
  }

  /** Whether all keys are in it. */
  boolean hasAll() {
    return bounds.size() == 0;
  }

  /** Whether a key is before, in, or after the range. */
  int order(MemorySegment key, long offset, int length) {
    if (isBefore(key, offset, length)) {
      return -1;
    }
    return isBeyond(key, offset, length) ? 1 : 0;
  }

  private boolean isBefore(MemorySegment key, long offset, int length) {
    return lowerLength > 0
        && Bytes.compare(key, offset, length, bounds.segment(), 0, lowerLength) < 0;
  }

  private boolean isBeyond(MemorySegment key, long offset, int length) {
    if (isPartition) {
      return Bytes.compare(
              key, offset, Math.min(length, lowerLength), bounds.segment(), 0, lowerLength)
          > 0;
    }
    return upperLength > 0
        && Bytes.compare(key, offset, length, bounds.segment(), lowerLength, upperLength) >= 0;
  }
}
