package io.helenus.storage.engine;

/**
 * The options of storage. Sizes are in bytes, times in nanoseconds.
 *
 * @param shards number of shards; may change between starts
 * @param syncMode when an acknowledged write is durable
 * @param syncPeriodNanos time between syncs in periodic mode; the window in group mode
 * @param segmentBytes size of a commit log segment
 * @param memtableBytes size of all memtables of the node above which they are flushed
 * @param blockCacheBytes size of the node's block caches
 * @param commitLogBytes size of the node's commit log segments above which the oldest memtables are
 *     flushed
 * @param skipDamagedLog whether to skip damaged records in the commit log instead of refusing to
 *     start
 * @param graphLimits when graphs of vectors are built
 * @param partitionLimits which partitions to report when they are written to files
 */
public record StorageOptions(
    int shards,
    SyncMode syncMode,
    long syncPeriodNanos,
    int segmentBytes,
    long memtableBytes,
    long blockCacheBytes,
    long commitLogBytes,
    boolean skipDamagedLog,
    GraphLimits graphLimits,
    PartitionLimits partitionLimits) {

  /**
   * When an acknowledged write is durable. In every mode it has been written to the operating
   * system before it is acknowledged.
   */
  public enum SyncMode {
    /** Synced every period; acknowledged before the sync. */
    PERIODIC,
    /** Synced before the acknowledgement, as soon as the previous sync ends. */
    BATCH,
    /** Synced before the acknowledgement, together with all writes of a window. */
    GROUP
  }
}
