package io.helenus.storage.sstable;

import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.run.Entry;
import java.io.IOException;

/**
 * Writes one file, entry by entry in ascending order of keys. Blocks; not for shards. One thread at
 * a time.
 */
public interface SstableWriter extends AutoCloseable {
  /**
   * The properties of a new file.
   *
   * @param tableId the table
   * @param columnIds the table's current columns, for the header
   * @param compression of its blocks
   * @param bloomFalsePositiveChance of its filter
   * @param expectedEntries an upper bound for the number of entries; sizes the filter
   * @param logPositions opaque bytes that describe which log positions the file covers; kept in the
   *     statistics
   * @param partitionLimits which partitions to report
   * @param index whether the entries are those of an index (storage/docs/index.md), not rows
   */
  record Options(
      int tableId,
      int[] columnIds,
      TableDescriptor.Compression compression,
      double bloomFalsePositiveChance,
      long expectedEntries,
      byte[] logPositions,
      PartitionLimits partitionLimits,
      boolean index) {
    /** A new file of rows. */
    public Options(
        int tableId,
        int[] columnIds,
        TableDescriptor.Compression compression,
        double bloomFalsePositiveChance,
        long expectedEntries,
        byte[] logPositions,
        PartitionLimits partitionLimits) {
      this(
          tableId,
          columnIds,
          compression,
          bloomFalsePositiveChance,
          expectedEntries,
          logPositions,
          partitionLimits,
          false);
    }

    /** A new file of an index. */
    public static Options ofIndex(int tableId, TableDescriptor.Compression compression) {
      return new Options(
          tableId, new int[0], compression, 1, 1, new byte[0], PartitionLimits.NONE, true);
    }
  }

  /** Adds an entry, whose key must be greater than all earlier ones. The bytes are copied. */
  void add(Entry entry) throws IOException;

  /** The size of the file so far, in bytes. */
  long bytesWritten();

  /**
   * Writes the remaining blocks and the footer and syncs the file. A file that was not finished
   * cannot be opened.
   */
  SstableStatistics finish() throws IOException;

  /** Releases the writer's memory, whether the file was finished or not. May be repeated. */
  @Override
  void close();
}
