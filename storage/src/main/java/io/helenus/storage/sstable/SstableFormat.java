package io.helenus.storage.sstable;

import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.env.FileSystem;

/** A version of the file format: creates and opens files. Any thread. */
public interface SstableFormat {
  /** The version number in the header. */
  int version();

  /** Starts writing to an empty file, which the caller still owns and closes. */
  SstableWriter create(FileSystem.File file, SstableWriter.Options options);

  /**
   * Opens a file by reading its header, footer, statistics and top index. Blocks; not for shards.
   * The caller still owns the file; after its last use it calls {@link Sstable#release}, which
   * releases its memory, and closes the file. Raises StorageException if the file is damaged or not
   * of this format.
   */
  Sstable open(FileSystem.File file);

  /**
   * Opens a file as {@link #open} does and describes its header, sections and statistics, each as
   * soon as it has been read and checked.
   */
  Sstable describe(FileSystem.File file, InspectionSink sink);
}
