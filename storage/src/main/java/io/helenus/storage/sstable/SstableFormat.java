package io.helenus.storage.sstable;

import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.env.FileSystem;

/** One version of the file format: writes new files, opens old ones. Any thread. */
public interface SstableFormat {
  /** The number of the version in the header. */
  int version();

  /** Starts a new file, which is empty and stays the caller's. */
  SstableWriter create(FileSystem.File file, SstableWriter.Options options);

  /**
   * Opens a file: reads its header, footer, statistics and top index, so not on a shard. The file
   * stays open and the caller's. Raises StorageException when it is damaged or not of this format.
   */
  Sstable open(FileSystem.File file);

  /**
   * Opens a file as {@link #open} does and describes its header, sections and statistics, each as
   * soon as it has been read and checked.
   */
  Sstable describe(FileSystem.File file, InspectionSink sink);
}
