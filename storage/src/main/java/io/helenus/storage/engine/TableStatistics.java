package io.helenus.storage.engine;

/**
 * Statistics of a table on this node.
 *
 * @param files number of SSTables
 * @param fileBytes their total size
 * @param largestFileBytes size of the largest SSTable
 * @param longestFileMicros the widest range of timestamps within one SSTable
 * @param largestPartitionBytes size of the largest partition in any SSTable, uncompressed
 * @param memtableBytes native memory of its memtables
 * @param estimatedPartitions number of partitions, counted once per SSTable
 * @param truncatedAtMicros when it was last truncated, in microseconds since 1970; 0 for never
 * @param contents how much it holds
 */
public record TableStatistics(
    int files,
    long fileBytes,
    long largestFileBytes,
    long longestFileMicros,
    long largestPartitionBytes,
    long memtableBytes,
    long estimatedPartitions,
    long truncatedAtMicros,
    TableContents contents) {
  /** Statistics without contents. */
  public TableStatistics(
      int files,
      long fileBytes,
      long largestFileBytes,
      long longestFileMicros,
      long largestPartitionBytes,
      long memtableBytes,
      long estimatedPartitions,
      long truncatedAtMicros) {
    this(
        files,
        fileBytes,
        largestFileBytes,
        longestFileMicros,
        largestPartitionBytes,
        memtableBytes,
        estimatedPartitions,
        truncatedAtMicros,
        TableContents.NONE);
  }

  /** The statistics of an empty table. */
  public static final TableStatistics NONE = new TableStatistics(0, 0, 0, 0, 0, 0, 0, 0);

  /** The combined statistics of two shards. */
  public TableStatistics plus(TableStatistics other) {
    return new TableStatistics(
        files + other.files,
        fileBytes + other.fileBytes,
        Math.max(largestFileBytes, other.largestFileBytes),
        Math.max(longestFileMicros, other.longestFileMicros),
        Math.max(largestPartitionBytes, other.largestPartitionBytes),
        memtableBytes + other.memtableBytes,
        estimatedPartitions + other.estimatedPartitions,
        Math.max(truncatedAtMicros, other.truncatedAtMicros),
        contents.plus(other.contents));
  }
}
