package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lists the keys of the only rows that a search looks at. It is filled by one thread and then
 * handed over to that of the search, which sorts it: from then on nothing can be added. It owns the
 * memory of the keys, also of those that have been sorted. One thread at a time.
 */
public final class KeyListing {
  private final ByteWriter keys;
  private int[] ends = new int[0];
  private int[] prefixes = new int[0];
  private long[] hashes = new long[0];
  private int count;
  private @Nullable ListedKeys sorted;

  /** An empty one. */
  public KeyListing(SegmentSource memory) {
    keys = ByteWriter.recycling(memory, 0);
  }

  /**
   * Adds a row, or a whole partition by its prefix ‖ section 1. In any order.
   *
   * @return the hash of the key, or of the prefix of a partition, as in filters of SSTables
   */
  public long add(MemorySegment key, long offset, int length, int prefixLength) {
    if (sorted != null) {
      throw new IllegalStateException("the keys have been sorted");
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(64, 2 * count));
      prefixes = Arrays.copyOf(prefixes, ends.length);
      hashes = Arrays.copyOf(hashes, ends.length);
    }
    keys.putBytes(key, offset, length);
    ends[count] = keys.size();
    prefixes[count] = prefixLength;
    int hashed = RowKeys.isPartition(key, offset, prefixLength) ? prefixLength : length;
    hashes[count] = Hashing.xxh3(key, offset, hashed);
    return hashes[count++];
  }

  /** How many keys have been added. */
  public int size() {
    return count;
  }

  /** The memory that they take. */
  public int bytes() {
    return keys.size();
  }

  /**
   * Ends the listing. The first call takes a while if there are many keys: not for shards; later
   * ones return the same.
   */
  public ListedKeys sort() {
    ListedKeys result = sorted;
    if (result == null) {
      result = ListedKeys.sorted(new RowKeys(keys.segment(), ends, prefixes), hashes, count);
      sorted = result;
    }
    return result;
  }

  /** Releases the memory of the keys. */
  public void release() {
    keys.release();
  }
}
