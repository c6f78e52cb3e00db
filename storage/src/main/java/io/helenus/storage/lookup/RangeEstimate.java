package io.helenus.storage.lookup;

import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.Sstable;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Estimates how many entries the files of an index have in a range of terms, from the places of its
 * ends in them. Shard thread only.
 */
final class RangeEstimate implements AutoCloseable {
  private final List<Sstable> files;
  private final List<EntryCursor> cursors;
  private final IndexRange range;
  private final BooleanSupplier isTimeUp;
  private int file;
  private boolean hasLower;
  private double lower;
  private double entries;

  /**
   * An estimate.
   *
   * @param isTimeUp counts a file, and tells whether the time slice is over
   */
  RangeEstimate(
      List<Sstable> files, IndexRange range, BlockSource blocks, BooleanSupplier isTimeUp) {
    this.files = files;
    this.range = range;
    this.isTimeUp = isTimeUp;
    cursors = files.stream().map(each -> each.cursor(blocks)).toList();
  }

  /** How many entries the files have, in and beyond the range. */
  static long allEntries(List<Sstable> files) {
    long all = 0;
    for (Sstable file : files) {
      all += file.statistics().entries();
    }
    return all;
  }

  /** Goes on; END once the estimate is complete. */
  FoundKeys.Step advance() {
    while (file < files.size()) {
      EntryCursor cursor = cursors.get(file);
      if (!hasLower) {
        if (range.lowerLength() > 0
            && cursor.seek(range.segment(), range.lower(), range.lowerLength(), 0)
                == EntryCursor.Step.WAITING) {
          return FoundKeys.Step.WAITING;
        }
        lower = range.lowerLength() == 0 ? 0 : cursor.shareBefore();
        hasLower = true;
      }
      if (range.upperLength() > 0
          && cursor.seek(range.segment(), range.upper(), range.upperLength(), 0)
              == EntryCursor.Step.WAITING) {
        return FoundKeys.Step.WAITING;
      }
      double upper = range.upperLength() == 0 ? 1 : cursor.shareBefore();
      entries += (upper - lower) * files.get(file).statistics().entries();
      file++;
      hasLower = false;
      if (isTimeUp.getAsBoolean()) {
        return FoundKeys.Step.YIELD;
      }
    }
    return FoundKeys.Step.END;
  }

  /** About how many entries of the files seen so far are in the range. */
  double entries() {
    return entries;
  }

  @Override
  public void close() {
    cursors.forEach(EntryCursor::close);
  }
}
