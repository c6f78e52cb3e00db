package io.helenus.storage.engine;

/**
 * The knobs of storage. Sizes in bytes, times in nanoseconds.
 *
 * @param shards how many engines; may differ from start to start
 * @param syncMode when an acknowledged write is on the disk
 * @param syncPeriodNanos between syncs in periodic mode; the group window in group mode
 * @param segmentBytes of a commit log segment
 * @param memtableBytes of all memtables of the node, flushed above it
 * @param blockCacheBytes of the node
 * @param commitLogBytes of the node's live segments; above it the oldest memtables are flushed
 * @param skipDamagedLog go on over a damaged record in the middle of the log instead of refusing to
 *     start
 */
public record StorageOptions(
    int shards,
    SyncMode syncMode,
    long syncPeriodNanos,
    int segmentBytes,
    long memtableBytes,
    long blockCacheBytes,
    long commitLogBytes,
    boolean skipDamagedLog) {

  /**
   * When an acknowledged write is on the disk; it is always with the operating system before the
   * answer.
   */
  public enum SyncMode {
    /** Synced every period; acknowledged before. */
    PERIODIC,
    /** Synced before the acknowledgement, as soon as the disk is free. */
    BATCH,
    /** Synced before the acknowledgement, gathered over a window. */
    GROUP
  }
}
