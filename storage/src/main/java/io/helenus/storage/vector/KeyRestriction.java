package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.memory.SegmentSource;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which rows are searched: those of a range of keys, and of these only some, if they are listed.
 * Immutable once it is used; any thread.
 */
public final class KeyRestriction {
  /** So many marks per listed key that few keys that are not listed share one with it. */
  private static final int MARKS_PER_KEY = 16;

  private final ByteWriter bounds;
  private final int lowerLength;
  private final int upperLength;
  private final boolean isPartition;
  private final ByteWriter keys;
  private boolean listing;

  // by the order in which keys are listed
  private int[] ends = new int[0];
  private int[] prefixes = new int[0];
  private long[] hashes = new long[0];

  /** The listed keys in ascending order, once {@link #endList} has sorted them. */
  private int[] sorted = new int[0];

  private int count;

  /** A bit for each hash of a listed key; empty if whole partitions are listed. */
  private long[] marks = new long[0];

  private KeyRestriction(boolean isPartition, ByteWriter bounds, int lowerLength, ByteWriter keys) {
    this.isPartition = isPartition;
    this.bounds = bounds;
    this.lowerLength = lowerLength;
    upperLength = bounds.size() - lowerLength;
    this.keys = keys;
  }

  /** The rows of a partition. */
  public static KeyRestriction partition(
      MemorySegment prefix, long offset, int length, SegmentSource memory) {
    ByteWriter bounds = new ByteWriter(length + 1).putBytes(prefix, offset, length);
    return new KeyRestriction(true, bounds, length, ByteWriter.recycling(memory, 0));
  }

  /** The rows with keys from [lower, upper); a length of 0 leaves that end open. */
  public static KeyRestriction range(
      MemorySegment bounds, long offset, int lowerLength, int upperLength, SegmentSource memory) {
    ByteWriter copy = new ByteWriter(lowerLength + upperLength + 1);
    copy.putBytes(bounds, offset, lowerLength + upperLength);
    return new KeyRestriction(false, copy, lowerLength, ByteWriter.recycling(memory, 0));
  }

  /** Restricts it to the rows that {@link #list} adds until {@link #endList}. */
  public void beginList() {
    listing = true;
  }

  /**
   * Adds a row, or a whole partition by its prefix ‖ section 1. In any order.
   *
   * @return the hash of the key, or of the prefix of a partition, as in filters of SSTables
   */
  public long list(MemorySegment key, long offset, int length, int prefixLength) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(64, 2 * count));
      prefixes = Arrays.copyOf(prefixes, ends.length);
      hashes = Arrays.copyOf(hashes, ends.length);
    }
    keys.putBytes(key, offset, length);
    ends[count] = keys.size();
    prefixes[count] = prefixLength;
    int hashed = isPartition(count) ? prefixLength : length;
    hashes[count] = Hashing.xxh3(keys.segment(), start(count), hashed);
    return hashes[count++];
  }

  /** Sorts what has been listed, and removes what has been listed twice: not for shards. */
  public void endList() {
    if (!listing || sorted.length > 0) {
      return;
    }
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    order = sort(order);
    int distinct = 0;
    boolean partitions = false;
    for (int each : order) {
      partitions |= isPartition(each);
      if (distinct == 0 || compare(order[distinct - 1], each) != 0) {
        order[distinct++] = each;
      }
    }
    sorted = order;
    count = distinct;
    if (!partitions) {
      mark();
    }
  }

  private void mark() {
    marks = new long[Math.max(1, Integer.highestOneBit(count) * 2 * MARKS_PER_KEY / Long.SIZE)];
    for (int i = 0; i < count; i++) {
      long hash = hashes[sorted[i]];
      marks[word(hash)] |= 1L << hash;
    }
  }

  private int word(long hash) {
    return (int) (hash >>> Integer.SIZE) & (marks.length - 1);
  }

  /** Merges runs that are sorted already: an index lists the rows of one term in order. */
  private int[] sort(int[] order) {
    int[] from = order;
    int[] into = new int[order.length];
    int[] starts = new int[order.length + 1];
    int runs = 0;
    for (int i = 0; i < from.length; i++) {
      if (i == 0 || compare(i - 1, i) > 0) {
        starts[runs++] = i;
      }
    }
    while (runs > 1) {
      starts[runs] = from.length;
      int merged = 0;
      for (int run = 0; run < runs; run += 2) {
        int middle = starts[Math.min(runs, run + 1)];
        int end = starts[Math.min(runs, run + 2)];
        merge(from, starts[run], middle, end, into);
        starts[merged++] = starts[run];
      }
      runs = merged;
      int[] swapped = from;
      from = into;
      into = swapped;
    }
    return from;
  }

  private void merge(int[] from, int start, int middle, int end, int[] into) {
    int left = start;
    int right = middle;
    for (int at = start; at < end; at++) {
      boolean isLeft = right >= end || (left < middle && compare(from[left], from[right]) <= 0);
      into[at] = isLeft ? from[left++] : from[right++];
    }
  }

  private int compare(int one, int other) {
    return Bytes.compare(
        keys.segment(),
        start(one),
        ends[one] - start(one),
        keys.segment(),
        start(other),
        ends[other] - start(other));
  }

  /**
   * The same with only some of the listed rows, by the order of listing; it shares their memory.
   */
  KeyRestriction only(BitSet listed) {
    KeyRestriction some = new KeyRestriction(isPartition, bounds, lowerLength, keys);
    some.listing = true;
    some.ends = ends;
    some.prefixes = prefixes;
    some.sorted = new int[Math.min(count, listed.cardinality())];
    for (int i = 0; i < count; i++) {
      if (listed.get(sorted[i])) {
        some.sorted[some.count++] = sorted[i];
      }
    }
    return some;
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

  /** Releases the memory of listed keys. */
  public void release() {
    keys.release();
  }

  /** Whether only listed rows are searched. */
  public boolean isListing() {
    return listing;
  }

  boolean isNone() {
    return !listing && bounds.size() == 0;
  }

  private int start(int listed) {
    return listed == 0 ? 0 : ends[listed - 1];
  }

  private int keyOffset(int index) {
    return start(sorted[index]);
  }

  private int keyLength(int index) {
    return ends[sorted[index]] - keyOffset(index);
  }

  private int prefixLength(int index) {
    return prefixes[sorted[index]];
  }

  /** Whether a key stands for its whole partition. */
  private boolean isPartition(int listed) {
    return Bytes.getByte(keys.segment(), start(listed) + prefixes[listed])
        == KeyFormat.SECTION_STATIC;
  }

  /** Whether a key is before or after a listed one as far as its first 8 bytes tell; else 0. */
  int orderOfStart(long start, int index) {
    int listed = sorted[index];
    int length = isPartition(listed) ? prefixes[listed] : ends[listed] - start(listed);
    if (length < Long.BYTES) {
      return 0;
    }
    return Long.compareUnsigned(start, Bytes.getLong(keys.segment(), start(listed)));
  }

  /** Whether a key is before, under, or after a listed one. */
  int order(MemorySegment key, long offset, int length, int index) {
    if (isPartition(sorted[index])) {
      int prefix = prefixLength(index);
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
    if (marks.length > 0) {
      long hash = Hashing.xxh3(key, offset, length);
      if ((marks[word(hash)] & 1L << hash) == 0) {
        return false;
      }
    }
    int at = firstListed(key, offset, length);
    if (at < count && compare(at, key, offset, length) == 0) {
      return true;
    }
    // its partition would be before it, and the partition's other rows are not listed then
    return at > 0
        && isPartition(sorted[at - 1])
        && prefixLength(at - 1) == prefixLength
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
