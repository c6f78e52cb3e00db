package io.helenus.storage.sstable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An open file. Its contents never change. Loading is done on I/O and compaction threads, counting
 * of users on the shard's thread, asking any thread.
 */
public abstract class Sstable {
  /** Behind a prefix, the name under which a filter knows that the partition has bounds. */
  public static final int FILTER_BOUNDS = 0xFF;

  private int users = 1;
  private @Nullable Runnable whenUnused;
  private MemorySegment edges = MemorySegment.NULL;

  /** The path of the file. */
  public abstract String path();

  /** Its size in bytes. */
  public abstract long sizeBytes();

  /** The table. */
  public abstract int tableId();

  /** What it knows about itself. */
  public abstract SstableStatistics statistics();

  /** A cursor over all its entries, that gets its blocks from a source. */
  public final EntryCursor cursor(BlockSource source) {
    return cursor(null, source);
  }

  /** As above; made of a closed cursor over any file, if one is given and fits. */
  public abstract EntryCursor cursor(@Nullable EntryCursor closed, BlockSource source);

  /**
   * Reads, checks and decompresses a block into memory. Blocks: not on a shard. Raises
   * StorageException naming file and position.
   */
  public abstract void load(long position, int storedLength, Block target);

  /**
   * Reads every block and the filter, and tells of each that does not hold, naming file and offset.
   * Blocks: not on a shard. One caller at a time.
   */
  public abstract void verify(Consumer<String> problems);

  /** Whether the filter is in memory; without it {@link #mayContain} raises. */
  public abstract boolean isFilterLoaded();

  /** Reads the filter, once. Blocks: not on a shard. */
  public abstract void loadFilter();

  /**
   * False when nothing with this hash ({@link io.helenus.storage.bytes.Hashing#xxh3}) is in the
   * file: a key prefix, the key of a row, static row or partition deletion, or a prefix ‖ {@link
   * #FILTER_BOUNDS}.
   */
  public abstract boolean mayContain(long hash);

  /**
   * Whether the file's first key is greater than the slice, and does not begin with it. Shard
   * thread.
   */
  public final boolean startsAfter(MemorySegment key, long offset, int length) {
    MemorySegment keys = edges();
    int smallest = statistics().smallestKey().length;
    return Bytes.compare(keys, 0, Math.min(smallest, length), key, offset, length) > 0;
  }

  /**
   * Whether the file's last key is smaller than the slice, and does not begin with it. Shard
   * thread.
   */
  public final boolean endsBefore(MemorySegment key, long offset, int length) {
    MemorySegment keys = edges();
    int smallest = statistics().smallestKey().length;
    int largest = statistics().largestKey().length;
    return Bytes.compare(keys, smallest, Math.min(largest, length), key, offset, length) < 0;
  }

  /** The smallest and the largest key in native memory, as all compared slices are. */
  private MemorySegment edges() {
    if (edges.byteSize() == 0) {
      SstableStatistics statistics = statistics();
      ByteWriter keys = new ByteWriter(64);
      keys.putBytes(statistics.smallestKey()).putBytes(statistics.largestKey());
      edges = keys.segment();
    }
    return edges;
  }

  /** Counts a user more. Shard thread. */
  public final void retain() {
    if (users <= 0) {
      throw new IllegalStateException(path() + " is used after its last release");
    }
    users++;
  }

  /** Counts a user less. Shard thread. */
  public final void release() {
    users--;
    if (users == 0 && whenUnused != null) {
      whenUnused.run();
    }
  }

  /** What to do when the last user is gone, on the shard's thread: close the file. */
  public final void whenUnused(Runnable action) {
    whenUnused = action;
  }
}
