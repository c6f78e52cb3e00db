package io.helenus.storage.vector;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The keys of some rows, and of whole partitions, in ascending order, each once. Immutable, until
 * the {@link KeyListing} whose memory they are in is released; any thread.
 */
public final class ListedKeys {
  /** So many marks per key that few keys that are not listed share one with it. */
  private static final int MARKS_PER_KEY = 16;

  private final RowKeys keys;

  /** The numbers of the keys, by the order of listing, in the order of the keys. */
  private final int[] sorted;

  private final int count;

  /** A bit for each hash of a key; empty if whole partitions are listed, or it is not worth it. */
  private final long[] marks;

  private ListedKeys(RowKeys keys, int[] sorted, int count, long[] marks) {
    this.keys = keys;
    this.sorted = sorted;
    this.count = count;
    this.marks = marks;
  }

  /** Sorts the first {@code listed} keys, and removes what has been listed twice. */
  static ListedKeys sorted(RowKeys keys, long[] hashes, int listed) {
    int[] order = KeySort.sort(keys, listed);
    int distinct = 0;
    boolean partitions = false;
    for (int each : order) {
      partitions |= keys.isPartition(each);
      if (distinct == 0 || keys.compare(order[distinct - 1], each) != 0) {
        order[distinct++] = each;
      }
    }
    long[] marks = partitions ? new long[0] : marks(hashes, order, distinct);
    return new ListedKeys(keys, order, distinct, marks);
  }

  private static long[] marks(long[] hashes, int[] order, int count) {
    int words = Math.max(1, Integer.highestOneBit(count) * 2 * MARKS_PER_KEY / Long.SIZE);
    long[] marks = new long[words];
    for (int i = 0; i < count; i++) {
      long hash = hashes[order[i]];
      marks[word(hash, words)] |= 1L << hash;
    }
    return marks;
  }

  private static int word(long hash, int words) {
    return (int) (hash >>> Integer.SIZE) & (words - 1);
  }

  /** Only some of them, by the order of listing; they share the memory. */
  ListedKeys only(BitSet listed) {
    int[] some = new int[Math.min(count, listed.cardinality())];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (listed.get(sorted[i])) {
        some[kept++] = sorted[i];
      }
    }
    return new ListedKeys(keys, some, kept, new long[0]);
  }

  /** How many there are. */
  public int size() {
    return count;
  }

  /** Whether a key is before or after a listed one as far as its first 8 bytes tell; else 0. */
  int orderOfStart(long start, int index) {
    int listed = sorted[index];
    int length = keys.isPartition(listed) ? keys.prefixLength(listed) : keys.length(listed);
    if (length < Long.BYTES) {
      return 0;
    }
    return Long.compareUnsigned(start, Bytes.getLong(keys.segment(), keys.start(listed)));
  }

  /** Whether a key is before, under, or after a listed one. */
  int order(MemorySegment key, long offset, int length, int index) {
    int listed = sorted[index];
    if (keys.isPartition(listed)) {
      int prefix = keys.prefixLength(listed);
      return Bytes.compare(
          key, offset, Math.min(length, prefix), keys.segment(), keys.start(listed), prefix);
    }
    return -keys.compare(listed, key, offset, length);
  }

  /** Whether a row is listed, or its partition. */
  boolean contains(MemorySegment key, long offset, int length, int prefixLength) {
    if (marks.length > 0) {
      long hash = Hashing.xxh3(key, offset, length);
      if ((marks[word(hash, marks.length)] & 1L << hash) == 0) {
        return false;
      }
    }
    int at = firstNotBefore(key, offset, length);
    if (at < count && keys.compare(sorted[at], key, offset, length) == 0) {
      return true;
    }
    // its partition would be before it, and the partition's other rows are not listed then
    return at > 0 && isPartitionOf(sorted[at - 1], key, offset, prefixLength);
  }

  private boolean isPartitionOf(int listed, MemorySegment key, long offset, int prefixLength) {
    return keys.isPartition(listed)
        && keys.prefixLength(listed) == prefixLength
        && Bytes.equal(keys.segment(), keys.start(listed), prefixLength, key, offset, prefixLength);
  }

  private int firstNotBefore(MemorySegment key, long offset, int length) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (keys.compare(sorted[middle], key, offset, length) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
