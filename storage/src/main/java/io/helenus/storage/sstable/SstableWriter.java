package io.helenus.storage.sstable;

import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.run.Entry;
import java.io.IOException;

/**
 * Writes one file, entry by entry in ascending order of keys. One thread at a time; not a shard.
 */
public interface SstableWriter {
  /**
   * What a new file is told.
   *
   * @param tableId the table
   * @param columnIds the table's columns at this time, for the header
   * @param compression of its blocks
   * @param bloomFalsePositiveChance of its filter
   * @param expectedEntries at least the number of entries that will be added; sizes the filter
   * @param logPositions opaque bytes that say which log positions the file covers; kept in the
   *     statistics
   */
  record Options(
      int tableId,
      int[] columnIds,
      TableDescriptor.Compression compression,
      double bloomFalsePositiveChance,
      long expectedEntries,
      byte[] logPositions) {}

  /** Adds an entry; its key is greater than all before. The bytes are copied. */
  void add(Entry entry) throws IOException;

  /** How many bytes the file has so far. */
  long bytesWritten();

  /** Writes the rest and syncs the file. Without it the file is worthless. */
  SstableStatistics finish() throws IOException;
}
