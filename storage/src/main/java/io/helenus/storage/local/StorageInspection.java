package io.helenus.storage.local;

import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.log.SegmentInspection;
import io.helenus.storage.manifest.ManifestInspection;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.run.EntryCursor.Step;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.v1.V1Format;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Reads single files of a data folder for inspection, with the readers that a node uses. Changes
 * nothing and needs no lock. Each method passes everything up to the first damaged place to its
 * sink, then raises a {@link StorageException} that names the file and the offset. Blocks; one
 * thread.
 */
public final class StorageInspection {
  private final FileSystem files;
  private final Consumer<String> warnings;

  /**
   * Creates an inspection of files of a data folder.
   *
   * @param warnings receives a message if a file has an incomplete end, which is not damage
   */
  public StorageInspection(FileSystem files, Consumer<String> warnings) {
    this.files = files;
    this.warnings = warnings;
  }

  /** Reads an SSTable: header, footer, statistics, then its entries until the sink stops. */
  public void sstable(String path, InspectionSink sink) throws IOException {
    try (FileSystem.File file = files.open(path);
        DirectBlocks blocks = new DirectBlocks()) {
      Sstable sstable = new V1Format().describe(file, sink);
      sstable.loadFilter();
      if (sstable.statistics().entries() == 0) {
        return;
      }
      try (EntryCursor cursor = sstable.cursor(blocks)) {
        Step step = cursor.first();
        while (step == Step.READY && hand(cursor, sink)) {
          step = cursor.next();
        }
      }
    }
  }

  private static boolean hand(EntryCursor entry, InspectionSink sink) {
    return sink.entry(
        entry.keySegment().asSlice(entry.keyOffset(), entry.keyLength()),
        entry.prefixLength(),
        entry.valueSegment().asSlice(entry.valueOffset(), entry.valueLength()));
  }

  /** Reads a segment of a commit log: header, then its records. */
  public void log(String path, InspectionSink sink) throws IOException {
    SegmentInspection.run(files, path, warnings, sink);
  }

  /** Reads a manifest: its edits, then the state that results from them. */
  public void manifest(String path, InspectionSink sink) throws IOException {
    long torn = ManifestInspection.run(files, path, sink);
    if (torn > 0) {
      warnings.accept(path + " ends with " + torn + " bytes of an incomplete edit");
    }
  }
}
