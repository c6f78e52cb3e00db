package io.helenus.storage.engine.local;

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
 * Reads single files of a data folder for a person, with the readers that a node uses. Changes
 * nothing and needs no lock. Each method hands over everything up to the first damaged place and
 * then raises a {@link StorageException} that names the file and the offset. One thread, which
 * blocks.
 */
public final class StorageInspection {
  private final FileSystem files;
  private final Consumer<String> warnings;

  /**
   * An inspection of these files.
   *
   * @param warnings receives a text about an unfinished end, which is not damage
   */
  public StorageInspection(FileSystem files, Consumer<String> warnings) {
    this.files = files;
    this.warnings = warnings;
  }

  /** Reads an SSTable: header, footer, statistics, then its entries as long as the sink wants. */
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

  /** Reads a manifest: its edits, then the state that they add up to. */
  public void manifest(String path, InspectionSink sink) throws IOException {
    long torn = ManifestInspection.run(files, path, sink);
    if (torn > 0) {
      warnings.accept(path + " ends in " + torn + " bytes of an unfinished edit");
    }
  }
}
