package io.helenus.storage.testing;

import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.StorageOptions.SyncMode;

/**
 * Builds storage options for tests. The default sizes are so small that a few hundred writes rotate
 * the commit log, flush memtables and evict blocks; tests override what they need. Not thread-safe.
 */
public final class TestStorageOptions {
  private final int shards;
  private final SyncMode syncMode;
  private long syncPeriodNanos = 100_000_000L;
  private int segmentBytes = 32 << 10;
  private long memtableBytes = 64L << 10;
  private long blockCacheBytes = 64L << 10;
  private long commitLogBytes = 256L << 10;

  /** Graphs for a few vectors, and several of them in a file with many. */
  private GraphLimits graphLimits = new GraphLimits(20, 64 << 10, 1);

  private PartitionLimits partitionLimits = PartitionLimits.NONE;

  private TestStorageOptions(int shards, SyncMode syncMode) {
    this.shards = shards;
    this.syncMode = syncMode;
  }

  /** Small sizes and a sync period of 100 ms. */
  public static TestStorageOptions of(int shards, SyncMode syncMode) {
    return new TestStorageOptions(shards, syncMode);
  }

  /** Sets the time between syncs in periodic mode, or the window in group mode. */
  public TestStorageOptions syncPeriodNanos(long nanos) {
    syncPeriodNanos = nanos;
    return this;
  }

  /** Sets the size of a commit log segment and of all segments. */
  public TestStorageOptions commitLog(int newSegmentBytes, long totalBytes) {
    segmentBytes = newSegmentBytes;
    commitLogBytes = totalBytes;
    return this;
  }

  /** Sets the size of all memtables above which they are flushed. */
  public TestStorageOptions memtableBytes(long bytes) {
    memtableBytes = bytes;
    return this;
  }

  /** Sets the size of the block caches. */
  public TestStorageOptions blockCacheBytes(long bytes) {
    blockCacheBytes = bytes;
    return this;
  }

  /** Sets when graphs of vectors are built. */
  public TestStorageOptions graphLimits(GraphLimits limits) {
    graphLimits = limits;
    return this;
  }

  /** Sets the limits above which partitions are reported. */
  public TestStorageOptions partitionLimits(PartitionLimits limits) {
    partitionLimits = limits;
    return this;
  }

  /** The options. */
  public StorageOptions build() {
    return new StorageOptions(
        shards,
        syncMode,
        syncPeriodNanos,
        segmentBytes,
        memtableBytes,
        blockCacheBytes,
        commitLogBytes,
        false,
        graphLimits,
        partitionLimits);
  }
}
