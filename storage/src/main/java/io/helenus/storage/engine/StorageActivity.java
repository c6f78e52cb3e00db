package io.helenus.storage.engine;

import java.util.List;

/**
 * A node's background work, in progress and since start-up. Immutable.
 *
 * @param tasks running flushes and compactions, in the order they started
 * @param finished the most recent compactions, oldest first
 * @param flushes counts of flushes
 * @param compactions counts of compactions
 * @param compactedBytes size of the files that compactions have replaced
 */
public record StorageActivity(
    List<Task> tasks,
    List<FinishedCompaction> finished,
    Work flushes,
    Work compactions,
    long compactedBytes) {
  /** Copies. */
  public StorageActivity {
    tasks = List.copyOf(tasks);
    finished = List.copyOf(finished);
  }

  /** The kind of a task. */
  public enum Kind {
    /** Writes a memtable to a file. */
    FLUSH,
    /** Merges files. */
    COMPACTION
  }

  /**
   * A running task.
   *
   * @param number unique since start-up
   * @param startedMicros microseconds since 1970
   * @param totalBytes size of its input
   * @param progressBytes how much of the input has been processed
   * @param files number of input files
   */
  public record Task(
      long number,
      Kind kind,
      int tableId,
      long startedMicros,
      long totalBytes,
      long progressBytes,
      int files) {}

  /**
   * A finished compaction.
   *
   * @param number of the task
   * @param endedMicros microseconds since 1970
   * @param mergedPartitions how many partitions were in one input file, in two, and so on
   */
  public record FinishedCompaction(
      long number,
      int tableId,
      long startedMicros,
      long endedMicros,
      long bytesIn,
      long bytesOut,
      List<Long> mergedPartitions) {
    /** Copies. */
    public FinishedCompaction {
      mergedPartitions = List.copyOf(mergedPartitions);
    }
  }

  /**
   * Counts of one kind of work.
   *
   * @param pending requested, not started
   * @param active running
   * @param completed ended, successfully or not
   */
  public record Work(int pending, int active, long completed) {}
}
