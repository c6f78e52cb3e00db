package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.Cells;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The range deletions of a memtable as a tree of range tombstone bounds, in which at most one
 * deletion is in force at any key: where deletions overlap, the newer one wins. To add one:
 *
 * <ol>
 *   <li>find the deletion in force before its start, which is the one that the preceding bound
 *       opens;
 *   <li>collect the bounds from its start to its end;
 *   <li>between any two of these bounds, the winner of the old and the new deletion is in force:
 *       rewrite the bounds accordingly, and remove those with the same deletion on both sides.
 * </ol>
 *
 * Shard thread only.
 */
final class BoundIndex {
  private final KeyTree tree;
  private final Records records;
  private final Snapshots snapshots;
  private final KeyTree.Position position = new KeyTree.Position();
  private final BoundView view = new BoundView();
  private final ByteWriter value;
  private long[] noted = new long[16];
  private int notedCount;

  // the deletion being added
  private long timestamp;
  private long seconds;
  private long sequence;
  private int prefixLength;
  // the old deletion in force at the current bound
  private long oldTimestamp;
  private long oldSeconds;

  BoundIndex(KeyTree tree, Records records, Snapshots snapshots, ByteWriter scratch) {
    value = scratch;
    this.tree = tree;
    this.records = records;
    this.snapshots = snapshots;
  }

  /** Deletes [start, end): two keys of one partition, each longer than its prefix. */
  void add(
      ByteWriter start,
      ByteWriter end,
      int prefix,
      long newTimestamp,
      long newSeconds,
      long newSequence) {
    if (Bytes.compare(start.segment(), 0, start.size(), end.segment(), 0, end.size()) >= 0) {
      return;
    }
    timestamp = newTimestamp;
    seconds = newSeconds;
    sequence = newSequence;
    prefixLength = prefix;
    findOldBefore(start);
    noteBounds(start, end);
    long startTimestamp = oldTimestamp;
    long startSeconds = oldSeconds;
    int first = 0;
    if (first < notedCount && isAt(noted[first], start)) {
      takeOpened(noted[first++]);
    }
    put(start.segment(), 0, start.size(), startTimestamp, startSeconds, winner(), winnerSeconds());
    for (int i = first; i < notedCount; i++) {
      long record = noted[i];
      if (isAt(record, end)) {
        break;
      }
      long closed = winner();
      long closedSeconds = winnerSeconds();
      takeOpened(record);
      put(
          records.segment(record),
          Records.keyOffset(record),
          records.keyLength(record),
          closed,
          closedSeconds,
          winner(),
          winnerSeconds());
    }
    long closed = winner();
    long closedSeconds = winnerSeconds();
    if (notedCount > 0 && isAt(noted[notedCount - 1], end)) {
      takeOpened(noted[notedCount - 1]);
    }
    put(end.segment(), 0, end.size(), closed, closedSeconds, oldTimestamp, oldSeconds);
  }

  private void findOldBefore(ByteWriter start) {
    oldTimestamp = RowFormat.NO_TIMESTAMP;
    oldSeconds = 0;
    tree.seek(start.segment(), 0, start.size(), position);
    long record;
    do {
      position.slot--;
      record = tree.settleBackward(position);
    } while (record != Slabs.NONE && isAbsent(record));
    if (record != Slabs.NONE
        && records.prefixLength(record) == prefixLength
        && Bytes.equal(
            records.segment(record),
            Records.keyOffset(record),
            prefixLength,
            start.segment(),
            0,
            prefixLength)) {
      takeOpened(record);
    }
  }

  private void noteBounds(ByteWriter start, ByteWriter end) {
    notedCount = 0;
    tree.seek(start.segment(), 0, start.size(), position);
    while (true) {
      long record = tree.settleForward(position);
      if (record == Slabs.NONE || records.compare(end.segment(), 0, end.size(), 0, record) < 0) {
        return;
      }
      if (!isAbsent(record)) {
        if (notedCount == noted.length) {
          noted = Arrays.copyOf(noted, notedCount * 2);
        }
        noted[notedCount++] = record;
      }
      position.slot++;
    }
  }

  private boolean isAbsent(long record) {
    return Bytes.getByte(records.segment(record), records.valueOffset(record)) == 0;
  }

  private boolean isAt(long record, ByteWriter key) {
    return records.compare(key.segment(), 0, key.size(), 0, record) == 0;
  }

  private void takeOpened(long record) {
    view.wrap(records.segment(record), records.valueOffset(record));
    oldTimestamp = view.openedTimestamp();
    oldSeconds = view.openedSeconds();
  }

  private boolean oldWins() {
    return !Cells.deletionWins(timestamp, seconds, oldTimestamp, oldSeconds);
  }

  private long winner() {
    return oldWins() ? oldTimestamp : timestamp;
  }

  private long winnerSeconds() {
    return oldWins() ? oldSeconds : seconds;
  }

  private void put(
      MemorySegment key,
      long keyOffset,
      int keyLength,
      long closed,
      long closedSeconds,
      long opened,
      long openedSeconds) {
    boolean absent = closed == opened && closedSeconds == openedSeconds;
    value.clear();
    if (absent) {
      value.putByte(0);
    } else {
      BoundView.write(closed, closedSeconds, opened, openedSeconds, value);
    }
    // find takes keys at offset 0
    MemorySegment slice = keyOffset == 0 ? key : key.asSlice(keyOffset, keyLength);
    long record = tree.find(slice, keyLength);
    if (record == Slabs.NONE) {
      if (!absent) {
        tree.insert(create(slice, keyLength, Slabs.NONE));
      }
    } else if (snapshots.newestOpen() >= records.sequence(record)) {
      tree.replace(create(slice, keyLength, record));
    } else if (absent && snapshots.newestOpen() == Snapshots.NONE) {
      tree.remove();
    } else {
      records.overwrite(record, sequence, value.segment(), 0, value.size());
    }
  }

  private long create(MemorySegment key, int keyLength, long older) {
    return records.create(
        key,
        0,
        keyLength,
        prefixLength,
        BoundView.LIMIT_BYTES,
        sequence,
        older,
        value.segment(),
        0,
        value.size());
  }
}
