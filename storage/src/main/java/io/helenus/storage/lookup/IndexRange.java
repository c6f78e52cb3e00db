package io.helenus.storage.lookup;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.run.Entry;
import java.lang.foreign.MemorySegment;

/**
 * Which entries of an index a request needs: a range of terms, and of keys of rows. Immutable, as
 * long as the request does not change.
 */
final class IndexRange {
  private final ReadRequest request;
  private final MemorySegment segment;
  private final int lower;
  private final int lowerLength;
  private final int upper;
  private final int upperLength;

  IndexRange(ReadRequest request) {
    this.request = request;
    segment = request.segment();
    lower = request.lookup().termsOffset();
    lowerLength = request.lookup().termsLowerLength();
    upper = lower + lowerLength;
    upperLength = request.lookup().termsUpperLength();
  }

  MemorySegment segment() {
    return segment;
  }

  /** Where the smallest term starts. */
  int lower() {
    return lower;
  }

  /** The length of the smallest term; 0 for an open end. */
  int lowerLength() {
    return lowerLength;
  }

  /** Where the upper end of the terms starts. */
  int upper() {
    return upper;
  }

  /** The length of the upper end of the terms; 0 for an open end. */
  int upperLength() {
    return upperLength;
  }

  /** Whether the keys of all rows are needed. */
  boolean hasAllKeys() {
    return !request.keys().isPartition()
        && request.keys().lowerLength() == 0
        && request.keys().upperLength() == 0;
  }

  /**
   * Whether there is only one term: the upper end is the next byte string of the same length. Terms
   * are not prefixes of each other, so there is no other one in between.
   */
  boolean isOneTerm() {
    if (lowerLength == 0 || lowerLength != upperLength) {
      return false;
    }
    int at = lowerLength - 1;
    while (at >= 0 && Bytes.getUnsignedByte(segment, lower + at) == 0xFF) {
      if (Bytes.getByte(segment, upper + at) != 0) {
        return false;
      }
      at--;
    }
    return at >= 0
        && Bytes.getUnsignedByte(segment, upper + at)
            == Bytes.getUnsignedByte(segment, lower + at) + 1
        && Bytes.equal(segment, lower, at, segment, upper, at);
  }

  /** Whether the term of an entry is beyond the upper end. */
  boolean isBeyond(Entry entry) {
    return upperLength > 0 && entry.compareKey(segment, upper, upperLength) >= 0;
  }

  /** The length of the term of an entry. */
  static int termLength(Entry entry) {
    return (int) Bytes.getVarint(entry.valueSegment(), entry.valueOffset());
  }

  /** Whether an entry has the key of a row; the only one of an empty file has none. */
  static boolean hasRow(Entry entry, int termLength) {
    return entry.keyLength() > termLength;
  }

  /** The length of the smallest key of a row, which starts the request; 0 for an open end. */
  int keyLowerLength() {
    return request.keys().lowerLength();
  }

  /** Whether the key of a row is before the first that is needed. */
  boolean isKeyBefore(MemorySegment key, long offset, int length) {
    int bound = request.keys().lowerLength();
    return bound > 0 && Bytes.compare(key, offset, length, segment, 0, bound) < 0;
  }

  /** Whether the key of a row is after the last that is needed. */
  boolean isKeyBeyond(MemorySegment key, long offset, int length) {
    int bound = request.keys().lowerLength();
    if (request.keys().isPartition()) {
      return length < bound || !Bytes.equal(key, offset, bound, segment, 0, bound);
    }
    int end = request.keys().upperLength();
    return end > 0 && Bytes.compare(key, offset, length, segment, bound, end) >= 0;
  }
}
