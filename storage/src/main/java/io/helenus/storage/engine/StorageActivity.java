package io.helenus.storage.engine;

import java.util.List;

/**
 * What a node's storage does beside the shards, and has done since the start. Immutable.
 *
 * @param tasks flushes and compactions under way, in the order of their beginning
 * @param finished the latest compactions that have replaced files, oldest first
 * @param flushes the work of writing memtables to files
 * @param compactions the work of merging files
 */
public record StorageActivity(
    List<Task> tasks, List<FinishedCompaction> finished, Work flushes, Work compactions) {
  /** Copies. */
  public StorageActivity {
    tasks = List.copyOf(tasks);
    finished = List.copyOf(finished);
  }

  /** Kinds of tasks. */
  public enum Kind {
    /** A memtable becomes a file. */
    FLUSH,
    /** Files become one. */
    COMPACTION
  }

  /**
   * A task under way.
   *
   * @param number unique in this run of the node
   * @param startedMicros since 1970
   * @param totalBytes of its input
   * @param progressBytes how much of that is behind it
   * @param files how many files it reads
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
   * A compaction that has ended.
   *
   * @param number as of the task
   * @param endedMicros since 1970
   * @param mergedPartitions how many partitions came from one file, from two, and so on
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
   * A kind of work.
   *
   * @param pending asked for, not begun
   * @param active under way
   * @param completed ended, whatever came of it
   */
  public record Work(int pending, int active, long completed) {}
}
