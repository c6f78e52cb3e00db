package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowSplitter;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;

/**
 * Writes the cells of multi-cell columns to a memtable's tree, each as an entry of its own, in key
 * order: the place of an entry is found from that of the one before it.
 *
 * <p>Removes elements that a new deletion of their row or column covers, so that collections that
 * are overwritten again and again do not fill the memtable with elements that every read has to
 * pass. Each element is removed once, so that this costs no more than inserting it did. Only while
 * no snapshot is open. Shard thread only.
 */
final class Elements {
  /** Bounds the removals for one deletion; elements beyond it stay, covered. */
  private static final int LIMIT = 4096;

  private final KeyTree tree;
  private final Records records;
  private final Snapshots snapshots;
  private final EntryVersions versions;
  private final KeyTree.Position position = new KeyTree.Position();
  private final ByteWriter key;
  private final ByteWriter at;
  private final ByteWriter split;
  private final ByteWriter merged;
  private final RowSplitter splitter;
  private final RowMerge merge;
  private final RowView oldRow;
  private final RowView splitRow;
  private boolean isEmpty = true;

  Elements(KeyTree tree, Records records, EntryVersions versions, Snapshots snapshots) {
    this.tree = tree;
    this.records = records;
    this.versions = versions;
    this.snapshots = snapshots;
    Scratch scratch = snapshots.scratch();
    key = scratch.key;
    at = scratch.endKey;
    split = scratch.split;
    merged = scratch.merged;
    splitter = scratch.splitter;
    merge = scratch.merge;
    oldRow = scratch.oldRow;
    splitRow = scratch.normalRow;
  }

  /** Whether nothing has been put. */
  boolean isEmpty() {
    return isEmpty;
  }

  /** Removes the elements of a row that the row deletion of a new version covers. */
  void removeCovered(ByteWriter rowKey, RowView version) {
    if (isEmpty || snapshots.newestOpen() != Snapshots.NONE) {
      return;
    }
    long timestamp = version.deletionTimestamp();
    int prefix = rowKey.size();
    at.clear().putBytes(rowKey.segment(), 0, prefix).putByte(0);
    for (int i = 0; i < LIMIT; i++) {
      tree.seek(at.segment(), 0, at.size(), position);
      long record = tree.settleForward(position);
      if (record == Slabs.NONE || !startsWith(record, at, prefix)) {
        return;
      }
      at.clear()
          .putBytes(records.segment(record), Records.keyOffset(record), records.keyLength(record));
      if (timestampOf(record) <= timestamp) {
        tree.findRecord(record);
        tree.remove();
      }
      at.putByte(0); // the next possible key
    }
  }

  /**
   * Puts the cells of a row that have paths, and removes the elements that its column deletions
   * cover. The key is that of the row, and may be the key of the tree's last find.
   */
  void put(RowView row, int prefix, long sequence, boolean rowIsFound) {
    int rowKeyLength = key.size();
    boolean removes = !isEmpty && snapshots.newestOpen() == Snapshots.NONE;
    boolean isNear = rowIsFound;
    boolean hasCell = row.rewind().nextCell();
    while (hasCell) {
      if (row.pathLength() >= 0) {
        isEmpty = false;
        ElementView.putKey(key, row.column(), row.segment(), row.pathOffset(), row.pathLength());
        putElement(find(isNear), row, prefix, sequence);
        isNear = true;
        hasCell = row.nextCell();
      } else if (removes && (row.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0) {
        hasCell = replaceColumn(isNear, row, prefix, sequence);
        isNear = true;
      } else {
        hasCell = row.nextCell();
      }
      key.truncate(rowKeyLength);
    }
  }

  private long find(boolean isNear) {
    return isNear ? tree.findNext(key.segment(), key.size()) : tree.find(key.segment(), key.size());
  }

  /**
   * Replaces the elements of the column that the current cell of a row deletes by those that follow
   * it in the row. Returns whether the row has a cell left, to which it has been moved: possibly
   * one of the same column.
   */
  private boolean replaceColumn(boolean isNear, RowView row, int prefix, long sequence) {
    int rowKeyLength = key.size();
    int column = row.column();
    long deletion = row.cellTimestamp();
    int start = key.putInt(column).size();
    boolean hasCell = row.nextCell();
    find(isNear);
    for (int i = 0; i < LIMIT; i++) {
      long record = tree.following();
      if (record == Slabs.NONE || !startsWith(record, key, start)) {
        break;
      }
      int order = comparePath(hasCell, row, column, record, start);
      while (order < 0) {
        key.truncate(rowKeyLength);
        ElementView.putKey(key, column, row.segment(), row.pathOffset(), row.pathLength());
        putElement(find(true), row, prefix, sequence);
        hasCell = row.nextCell();
        order = comparePath(hasCell, row, column, record, start);
      }
      tree.findRecord(record);
      if (order == 0) {
        putElement(record, row, prefix, sequence);
        hasCell = row.nextCell();
      } else if (timestampOf(record) <= deletion) {
        tree.remove();
      }
    }
    return hasCell;
  }

  /**
   * Compares the path of a row's current cell with that of an element of a column, whose key has
   * its path from {@code start} on; greater if the row has no cell of the column left.
   */
  private int comparePath(boolean hasCell, RowView row, int column, long record, int start) {
    if (!hasCell || row.column() != column) {
      return 1;
    }
    return Bytes.compare(
        row.segment(),
        row.pathOffset(),
        row.pathLength(),
        records.segment(record),
        Records.keyOffset(record) + start,
        records.keyLength(record) - start - 1);
  }

  /** Puts a row's current cell in place of a record, or with {@code key} if there is none. */
  private void putElement(long record, RowView row, int prefix, long sequence) {
    splitter.element(row, split.clear());
    MemorySegment value = split.segment();
    int length = split.size();
    if (record == Slabs.NONE) {
      versions.add(key.segment(), key.size(), prefix, sequence, value, 0, length);
      return;
    }
    // the key is the same, and so is the length at the start of both values
    int head = (int) Bytes.varintEnd(value, 0);
    oldRow.wrap(
        records.segment(record),
        records.valueOffset(record) + head,
        records.valueLength(record) - head);
    splitRow.wrap(value, head, length - head);
    if (RowMerge.covers(splitRow, oldRow)) {
      versions.replace(record, sequence, value, 0, length);
    } else {
      merged.clear().putBytes(value, 0, head);
      boolean remains = merge.merge(splitRow, oldRow, merged);
      assert remains;
      versions.replace(record, sequence, merged.segment(), 0, merged.size());
    }
  }

  private boolean startsWith(long record, ByteWriter bytes, int prefix) {
    return records.keyLength(record) > prefix
        && Bytes.equal(
            records.segment(record), Records.keyOffset(record), prefix, bytes.segment(), 0, prefix);
  }

  private long timestampOf(long record) {
    MemorySegment segment = records.segment(record);
    long value = records.valueOffset(record);
    long row = Bytes.varintEnd(segment, value);
    oldRow.wrap(segment, row, value + records.valueLength(record) - row);
    boolean hasCell = oldRow.nextCell();
    assert hasCell;
    return oldRow.cellTimestamp();
  }
}
