package io.helenus.storage.sstable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An open SSTable, whose contents never change. Blocks are loaded on I/O and compaction threads;
 * users are counted on the shard's thread; all else on any thread.
 */
public abstract class Sstable {
  /**
   * The filter entry of a partition with range tombstone bounds is its key prefix followed by this
   * byte.
   */
  public static final int FILTER_BOUNDS = 0xFF;

  private int users = 1;
  private int unfilteredReads;
  private boolean retired;
  private @Nullable Runnable whenUnused;
  private MemorySegment edges = MemorySegment.NULL;

  /** The path of the file. */
  public abstract String path();

  /** The size of the file in bytes. */
  public abstract long sizeBytes();

  /** The id of the table. */
  public abstract int tableId();

  /** The statistics stored in the file. */
  public abstract SstableStatistics statistics();

  /** A cursor over all entries, which gets blocks from a source. */
  public final EntryCursor cursor(BlockSource source) {
    return cursor(null, source);
  }

  /** The same; reuses the given closed cursor over any file if it is of the right kind. */
  public abstract EntryCursor cursor(@Nullable EntryCursor closed, BlockSource source);

  /**
   * Reads, verifies and decompresses a block into memory. Blocks; not for shards. Raises
   * StorageException that names file and position.
   */
  public abstract void load(long position, int storedLength, Block target);

  /**
   * Reads every block and the filter and reports damage with file and offset. Blocks; not for
   * shards. One caller at a time.
   */
  public abstract void verify(Consumer<String> problems);

  /** Whether the filter is in memory; until then {@link #mayContain} returns true. */
  public abstract boolean isFilterLoaded();

  /** The memory that the filter takes when it is loaded; 0 if the file has none. */
  public abstract long filterBytes();

  /** Reads the filter, unless it is in memory. Blocks; not for shards. One caller at a time. */
  public abstract void loadFilter();

  /** Releases the memory of the filter. Shard thread. */
  public abstract void dropFilter();

  /** Whether the filter has been used since the last call. Shard thread. */
  public abstract boolean takeFilterUsed();

  /** Releases the memory of a file that has no users. */
  protected abstract void free();

  /** Counts a read without the filter, and returns how many there have been. Shard thread. */
  public final int countUnfilteredRead() {
    return ++unfilteredReads;
  }

  /** Marks that no table references the file any more: its filter is no longer loaded. */
  public final void retire() {
    retired = true;
  }

  /** Whether {@link #retire} was called. Shard thread. */
  public final boolean isRetired() {
    return retired;
  }

  /**
   * False if the file contains nothing with this hash ({@link
   * io.helenus.storage.bytes.Hashing#xxh3}) of a key prefix, of the key of a row, static row or
   * partition deletion, or of a prefix ‖ {@link #FILTER_BOUNDS}.
   */
  public abstract boolean mayContain(long hash);

  /**
   * Whether the file's first key is greater than the slice and does not start with it. Shard
   * thread.
   */
  public final boolean startsAfter(MemorySegment key, long offset, int length) {
    MemorySegment keys = edges();
    int smallest = statistics().smallestKey().length;
    return Bytes.compare(keys, 0, Math.min(smallest, length), key, offset, length) > 0;
  }

  /** Whether no key of the file is smaller than the slice. Shard thread. */
  public final boolean startsAtOrAfter(MemorySegment key, long offset, int length) {
    MemorySegment keys = edges();
    int smallest = statistics().smallestKey().length;
    return Bytes.compare(keys, 0, smallest, key, offset, length) >= 0;
  }

  /**
   * Whether the file's last key is smaller than the slice and does not start with it. Shard thread.
   */
  public final boolean endsBefore(MemorySegment key, long offset, int length) {
    MemorySegment keys = edges();
    int smallest = statistics().smallestKey().length;
    int largest = statistics().largestKey().length;
    return Bytes.compare(keys, smallest, Math.min(largest, length), key, offset, length) < 0;
  }

  /**
   * The smallest and the largest key, copied to native memory because only such slices are
   * compared.
   */
  private MemorySegment edges() {
    if (edges.byteSize() == 0) {
      SstableStatistics statistics = statistics();
      ByteWriter keys = new ByteWriter(64);
      keys.putBytes(statistics.smallestKey()).putBytes(statistics.largestKey());
      edges = keys.segment();
    }
    return edges;
  }

  /** Adds a user. Shard thread. */
  public final void retain() {
    if (users <= 0) {
      throw new IllegalStateException(path() + " used after its last release");
    }
    users++;
  }

  /** Removes a user; after the last one the file's memory is released. Shard thread. */
  public final void release() {
    users--;
    if (users == 0) {
      free();
      if (whenUnused != null) {
        whenUnused.run();
      }
    }
  }

  /**
   * Sets the action that runs on the shard's thread when the last user is gone: closing the file.
   */
  public final void whenUnused(Runnable action) {
    whenUnused = action;
  }
}
