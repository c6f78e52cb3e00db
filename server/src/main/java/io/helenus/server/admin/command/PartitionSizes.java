package io.helenus.server.admin.command;

import io.helenus.storage.engine.PartitionNotes;

/**
 * How large the partitions of a table are, in bytes or in cells, as far as its files have noted it.
 * They count them in classes, each up to twice as large as the one before (in Cassandra 1.2 times),
 * so that sizes are bounds; only the bytes of the largest one are known exactly. A partition counts
 * once for each file. Immutable.
 *
 * @param counts as {@link PartitionNotes#countsBySize}
 * @param largest the size of the largest partition
 */
record PartitionSizes(long[] counts, long largest) {
  /** The numbers of cells; that of the largest partition is a bound too. */
  static PartitionSizes ofCells(long[] counts) {
    return new PartitionSizes(
        counts, counts.length == 0 ? 0 : PartitionNotes.largestOfClass(counts.length - 1));
  }

  /** Whether nothing was noted, because there are no files or they are of an earlier version. */
  boolean isEmpty() {
    return counts.length == 0;
  }

  /** The size that a share of the partitions does not exceed. */
  long percentile(double share) {
    long total = 0;
    for (long each : counts) {
      total += each;
    }
    long wanted = (long) Math.ceil(total * share);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return Math.min(PartitionNotes.largestOfClass(i), largest);
      }
    }
    return largest;
  }

  /** The least size that the smallest partition can have; 0 if nothing was noted. */
  long smallest() {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        return i == 0 ? 0 : PartitionNotes.largestOfClass(i - 1) + 1;
      }
    }
    return 0;
  }

  /** The mean size if those of a class are in its middle; 0 if nothing was noted. */
  long mean() {
    double sum = 0;
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += counts[i] * 0.75 * PartitionNotes.largestOfClass(i);
      total += counts[i];
    }
    return total == 0 ? 0 : Math.min((long) Math.ceil(sum / total), largest);
  }
}
