package io.helenus.storage.engine;

/**
 * A table's size on this node.
 *
 * @param files how many SSTables
 * @param fileBytes their size
 * @param largestFileBytes the size of the largest
 * @param longestFileMicros the greatest difference of timestamps within one
 * @param largestPartitionBytes the size of the largest partition of any, before compression
 * @param memtableBytes off-heap bytes of its memtables
 * @param estimatedPartitions an estimate, counting a partition once per file
 * @param truncatedAtMicros when rows of it were truncated last; 0 for never
 */
public record TableStatistics(
    int files,
    long fileBytes,
    long largestFileBytes,
    long longestFileMicros,
    long largestPartitionBytes,
    long memtableBytes,
    long estimatedPartitions,
    long truncatedAtMicros) {
  /** A table of which there is nothing. */
  public static final TableStatistics NONE = new TableStatistics(0, 0, 0, 0, 0, 0, 0, 0);

  /** Of two shards' parts the whole. */
  public TableStatistics plus(TableStatistics other) {
    return new TableStatistics(
        files + other.files,
        fileBytes + other.fileBytes,
        Math.max(largestFileBytes, other.largestFileBytes),
        Math.max(longestFileMicros, other.longestFileMicros),
        Math.max(largestPartitionBytes, other.largestPartitionBytes),
        memtableBytes + other.memtableBytes,
        estimatedPartitions + other.estimatedPartitions,
        Math.max(truncatedAtMicros, other.truncatedAtMicros));
  }
}
