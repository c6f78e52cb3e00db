package io.helenus.storage.merge;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.Cells;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;

/**
 * The newest deletion of a partition, and the newest of its range deletions in force at the current
 * key of a merge, with the seconds in which they were made: for reads that pass deletions on. One
 * thread at a time; reusable.
 */
public final class DeletionsInForce {
  private final BoundView bound = new BoundView();
  private long[] openTimestamps = new long[8];
  private long[] openSeconds = new long[8];
  private int sources;
  private boolean reversed;
  private long partitionTimestamp;
  private long partitionSeconds;
  private long rangeTimestamp;
  private long rangeSeconds;

  /** Starts a partition of a merge. */
  public void begin(int sourceCount, boolean descending) {
    sources = sourceCount;
    reversed = descending;
    if (openTimestamps.length < sourceCount) {
      openTimestamps = new long[sourceCount];
      openSeconds = new long[sourceCount];
    }
    Arrays.fill(openTimestamps, 0, sourceCount, RowFormat.NO_TIMESTAMP);
    Arrays.fill(openSeconds, 0, sourceCount, 0);
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    partitionSeconds = 0;
    findNewest();
  }

  /** Takes the deletions in force where a source has been sought. */
  public void sought(EntryCursor cursor, int source) {
    openTimestamps[source] = cursor.openTimestamp();
    openSeconds[source] = cursor.openSeconds();
    takePartitionDeletion(cursor.partitionTimestamp(), cursor.partitionSeconds());
    findNewest();
  }

  /** Takes the merge's group, which is a partition deletion. */
  public void applyPartitionDeletion(ReadMerge merge) {
    for (int i = 0; i < merge.groupCount(); i++) {
      Entry entry = merge.group(i);
      takePartitionDeletion(
          Bytes.getLong(entry.valueSegment(), entry.valueOffset()),
          Bytes.getInt(entry.valueSegment(), entry.valueOffset() + 8) & 0xFFFFFFFFL);
    }
  }

  private void takePartitionDeletion(long timestamp, long seconds) {
    if (Cells.deletionWins(timestamp, seconds, partitionTimestamp, partitionSeconds)) {
      partitionTimestamp = timestamp;
      partitionSeconds = seconds;
    }
  }

  /** Takes the merge's group, which is a range tombstone bound. */
  public void applyBounds(ReadMerge merge) {
    for (int i = 0; i < merge.groupCount(); i++) {
      Entry entry = merge.group(i);
      bound.wrap(entry.valueSegment(), entry.valueOffset());
      int source = merge.source(i);
      openTimestamps[source] = reversed ? bound.closedTimestamp() : bound.openedTimestamp();
      openSeconds[source] = reversed ? bound.closedSeconds() : bound.openedSeconds();
    }
    findNewest();
  }

  private void findNewest() {
    rangeTimestamp = RowFormat.NO_TIMESTAMP;
    rangeSeconds = 0;
    for (int i = 0; i < sources; i++) {
      if (Cells.deletionWins(openTimestamps[i], openSeconds[i], rangeTimestamp, rangeSeconds)) {
        rangeTimestamp = openTimestamps[i];
        rangeSeconds = openSeconds[i];
      }
    }
  }

  /** The timestamp of the partition deletion, or {@link RowFormat#NO_TIMESTAMP}. */
  public long partitionTimestamp() {
    return partitionTimestamp;
  }

  /** When the partition was deleted, in seconds since 1970. */
  public long partitionSeconds() {
    return partitionSeconds;
  }

  /**
   * The timestamp of the newest range deletion, or {@link RowFormat#NO_TIMESTAMP} if there is none
   * or the partition deletion is as new.
   */
  public long rangeTimestamp() {
    return rangeTimestamp > partitionTimestamp ? rangeTimestamp : RowFormat.NO_TIMESTAMP;
  }

  /** When that range was deleted, in seconds since 1970; 0 for none. */
  public long rangeSeconds() {
    return rangeTimestamp > partitionTimestamp ? rangeSeconds : 0;
  }
}
