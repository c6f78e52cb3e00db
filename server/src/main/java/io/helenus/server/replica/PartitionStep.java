package io.helenus.server.replica;

import io.helenus.server.error.CqlError;

/**
 * Work in the background on a partition that has a turn of the partition's queue to itself: from
 * its begin to its end no write changes the partition's rows in tables with views, or what views
 * show of them, and all earlier writes are visible. It may read and write meanwhile, other
 * partitions too, but must not wait for another step or write of this one. Writes of the partition
 * wait for it, so it should be short.
 *
 * <p>On the thread of the partition's shard. A step contains its failures.
 */
public interface PartitionStep {
  /**
   * The turn begins.
   *
   * @param turnEnd ends it; to be run once, on the same thread, now or later
   */
  void begin(Runnable turnEnd);

  /** There is no turn, because too many writes wait. */
  void refused(CqlError error);
}
