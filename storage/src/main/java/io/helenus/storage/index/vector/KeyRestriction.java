package io.helenus.storage.index.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.SegmentSource;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Which rows are searched: those of a range of keys, and of these only some, if they are listed.
 * Immutable once it is used; any thread.
 */
public final class KeyRestriction {
  private final ByteWriter bounds;
  private final int lowerLength;
  private final int upperLength;
  private final boolean isPartition;
  private final ByteWriter keys;
  private boolean listing;
  private int count;
  private int[] ends = new int[0];
  private int[] prefixes = new int[0];

  private KeyRestriction(
      boolean isPartition, ByteWriter bounds, int lowerLength, SegmentSource memory) {
    this.isPartition = isPartition;
    this.bounds = bounds;
    this.lowerLength = lowerLength;
    upperLength = bounds.size() - lowerLength;
    keys = ByteWriter.recycling(memory, 0);
  }

  /** The rows of a partition. */
  public static KeyRestriction partition(
      MemorySegment prefix, long offset, int length, SegmentSource memory) {
    ByteWriter bounds = new ByteWriter(length + 1).putBytes(prefix, offset, length);
    return new KeyRestriction(true, bounds, length, memory);
  }

  /** The rows with keys from [lower, upper); a length of 0 leaves that end open. */
  public static KeyRestriction range(
      MemorySegment bounds, long offset, int lowerLength, int upperLength, SegmentSource memory) {
    ByteWriter copy = new ByteWriter(lowerLength + upperLength + 1);
    copy.putBytes(bounds, offset, lowerLength + upperLength);
    return new KeyRestriction(false, copy, lowerLength, memory);
  }

  /** Restricts it to the rows that {@link #list} adds. */
  public void beginList() {
    listing = true;
  }

  /** Adds a row, or a whole partition by its prefix ‖ section 1. In ascending order. */
  public void list(ByteWriter key, int prefixLength) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(64, 2 * count));
      prefixes = Arrays.copyOf(prefixes, ends.length);
    }
    keys.putBytes(key.segment(), 0, key.size());
    ends[count] = keys.size();
    prefixes[count++] = prefixLength;
  }

  /** Undoes the listing: all rows of the range are searched. */
  public void unlist() {
    listing = false;
    count = 0;
    keys.release();
  }

  /** How many rows are listed. */
  public int listed() {
    return count;
  }

  /** The memory that the listed keys take. */
  public int listedBytes() {
    return keys.size();
  }

  /** Gives back the memory of listed keys. */
  public void release() {
    keys.release();
  }

  boolean isListing() {
    return listing;
  }

  boolean isNone() {
    return !listing && bounds.size() == 0;
  }

  private int keyOffset(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  private int keyLength(int index) {
    return ends[index] - keyOffset(index);
  }

  /** Whether a listed key stands for its whole partition. */
  private boolean isPartition(int index) {
    return Bytes.getByte(keys.segment(), keyOffset(index) + prefixes[index])
        == KeyFormat.SECTION_STATIC;
  }

  /** Whether a key is before, under, or after a listed one. */
  int order(MemorySegment key, long offset, int length, int index) {
    if (isPartition(index)) {
      int prefix = prefixes[index];
      return Bytes.compare(
          key, offset, Math.min(length, prefix), keys.segment(), keyOffset(index), prefix);
    }
    return -compare(index, key, offset, length);
  }

  /** Whether a key is before the range. */
  boolean isBefore(MemorySegment key, long offset, int length) {
    return lowerLength > 0
        && Bytes.compare(key, offset, length, bounds.segment(), 0, lowerLength) < 0;
  }

  /** Whether a key is after the range. */
  boolean isBeyond(MemorySegment key, long offset, int length) {
    if (isPartition) {
      return Bytes.compare(
              key, offset, Math.min(length, lowerLength), bounds.segment(), 0, lowerLength)
          > 0;
    }
    return upperLength > 0
        && Bytes.compare(key, offset, length, bounds.segment(), lowerLength, upperLength) >= 0;
  }

  /** Whether a row is searched. */
  boolean admits(MemorySegment key, long offset, int length, int prefixLength) {
    if (isBefore(key, offset, length) || isBeyond(key, offset, length)) {
      return false;
    }
    return !listing || isListed(key, offset, length, prefixLength);
  }

  private boolean isListed(MemorySegment key, long offset, int length, int prefixLength) {
    int at = firstListed(key, offset, length);
    if (at < count && compare(at, key, offset, length) == 0) {
      return true;
    }
    // its partition would be before it, and the partition's other rows are not listed then
    return at > 0
        && isPartition(at - 1)
        && prefixes[at - 1] == prefixLength
        && Bytes.equal(keys.segment(), keyOffset(at - 1), prefixLength, key, offset, prefixLength);
  }

  private int firstListed(MemorySegment key, long offset, int length) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(middle, key, offset, length) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private int compare(int index, MemorySegment key, long offset, int length) {
    return Bytes.compare(keys.segment(), keyOffset(index), keyLength(index), key, offset, length);
  }
}
