package io.helenus.storage.engine;

/**
 * Statistics of a shard's commit log.
 *
 * @param bytes size of the segments in use
 * @param completed records that have become as durable as the sync mode requires, since start-up
 * @param pending records that are not yet
 */
public record CommitLogStatistics(long bytes, long completed, long pending) {
  /** The sum of the statistics of two shards. */
  public CommitLogStatistics plus(CommitLogStatistics other) {
    return new CommitLogStatistics(
        bytes + other.bytes, completed + other.completed, pending + other.pending);
  }
}
