package io.helenus.storage.local;

import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.TableContents;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import java.util.List;
import java.util.Map;

/**
 * The statistics of the files of a table in one shard. Set on the shard's thread, read on any
 * thread.
 */
final class FileStatistics {
  private record Snapshot(TableStatistics sum, List<OpenFile> files) {}

  private volatile Snapshot current = new Snapshot(TableStatistics.NONE, List.of());

  /** Replaces the files. */
  void set(List<OpenFile> files) {
    TableStatistics sum = TableStatistics.NONE;
    for (OpenFile file : files) {
      sum = sum.plus(of(file.sstable()));
    }
    current = new Snapshot(sum, List.copyOf(files));
  }

  private static TableStatistics of(Sstable file) {
    SstableStatistics statistics = file.statistics();
    return new TableStatistics(
        1,
        file.sizeBytes(),
        file.sizeBytes(),
        statistics.largestTimestamp() - statistics.smallestTimestamp(),
        statistics.largestPartitionBytes(),
        0,
        statistics.partitions(),
        0,
        new TableContents(
            statistics.rows(),
            statistics.tombstones(),
            statistics.bytes(),
            statistics.blocks(),
            0));
  }

  /** Their sum. */
  TableStatistics sum() {
    return current.sum;
  }

  /** Adds the notes on the partitions of each file, by its number. */
  void addNotes(Map<Long, PartitionNotes> byFile) {
    for (OpenFile file : current.files) {
      byFile.put(file.live().number(), file.sstable().statistics().notes());
    }
  }
}
