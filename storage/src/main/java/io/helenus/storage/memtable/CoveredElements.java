package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;

/**
 * Removes elements that a new deletion of their row or column covers, so that collections that are
 * overwritten again and again do not fill the memtable with elements that every read has to pass.
 * Each element is removed once, so that this costs no more than inserting it did. Only while no
 * snapshot is open. Shard thread only.
 */
final class CoveredElements {
  /** Bounds the work for one row of a mutation; elements beyond it stay, covered. */
  private static final int LIMIT = 4096;

  private final KeyTree tree;
  private final Records records;
  private final KeyTree.Position position = new KeyTree.Position();
  private final ByteWriter at;
  private final RowView row;
  private final ElementView element;

  CoveredElements(KeyTree tree, Records records, Scratch scratch) {
    this.tree = tree;
    this.records = records;
    at = scratch.endKey;
    row = scratch.oldRow;
    element = scratch.element;
  }

  /**
   * Removes the elements of the row with a key that the deletions of a new version cover, except
   * those that it replaces: they are overwritten in place. Leaves the version's view after its last
   * cell.
   */
  void remove(ByteWriter rowKey, RowView version) {
    int prefix = rowKey.size();
    at.clear().putBytes(rowKey.segment(), 0, prefix);
    if (version.hasDeletion()) {
      remove(prefix, version.deletionTimestamp());
    }
    boolean hasCell = version.rewind().nextCell();
    while (hasCell) {
      if ((version.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0) {
        at.truncate(prefix).putInt(version.column());
        hasCell = replace(version);
      } else {
        hasCell = version.nextCell();
      }
    }
  }

  /**
   * Removes the elements of the column that the current cell of a version deletes and no later cell
   * replaces; {@code at} is where their keys start. Returns whether the version has a cell left, to
   * which it has been moved.
   */
  private boolean replace(RowView version) {
    int prefix = at.size();
    int column = version.column();
    long timestamp = version.cellTimestamp();
    boolean hasCell = version.nextCell();
    tree.seek(at.segment(), 0, prefix, position);
    for (int i = 0; i < LIMIT; i++) {
      long record = tree.settleForward(position);
      if (record == Slabs.NONE || !startsWith(record, prefix)) {
        break;
      }
      long written = timestampOf(record);
      while (hasCell && version.column() == column && comparePath(version) < 0) {
        hasCell = version.nextCell();
      }
      boolean replaced = hasCell && version.column() == column && comparePath(version) == 0;
      if (written <= timestamp && !replaced) {
        removeAt(record);
        tree.seek(at.segment(), 0, at.size(), position);
        at.truncate(prefix);
      } else {
        position.slot++;
      }
    }
    return hasCell;
  }

  /** Compares the path of a version's current cell with that of the element. */
  private int comparePath(RowView version) {
    return Bytes.compare(
        version.segment(),
        version.pathOffset(),
        version.pathLength(),
        element.pathSegment(),
        element.pathOffset(),
        element.pathLength());
  }

  /** Removes a record and leaves its key in {@code at}. */
  private void removeAt(long record) {
    at.clear()
        .putBytes(records.segment(record), Records.keyOffset(record), records.keyLength(record));
    tree.find(at.segment(), at.size());
    tree.remove();
  }

  /** Removes elements up to a timestamp whose keys start with the first bytes of {@code at}. */
  private void remove(int prefix, long timestamp) {
    at.truncate(prefix).putByte(0);
    for (int i = 0; i < LIMIT; i++) {
      tree.seek(at.segment(), 0, at.size(), position);
      long record = tree.settleForward(position);
      if (record == Slabs.NONE || !startsWith(record, prefix)) {
        return;
      }
      if (timestampOf(record) <= timestamp) {
        removeAt(record);
      } else {
        at.clear()
            .putBytes(
                records.segment(record), Records.keyOffset(record), records.keyLength(record));
      }
      at.putByte(0); // the next possible key
    }
  }

  private boolean startsWith(long record, int prefix) {
    return records.keyLength(record) > prefix
        && Bytes.equal(
            records.segment(record), Records.keyOffset(record), prefix, at.segment(), 0, prefix);
  }

  private long timestampOf(long record) {
    MemorySegment segment = records.segment(record);
    long value = records.valueOffset(record);
    element.wrap(segment, Records.keyOffset(record), records.keyLength(record), segment, value);
    long end = value + records.valueLength(record);
    row.wrap(segment, element.rowOffset(), end - element.rowOffset());
    boolean hasCell = row.nextCell();
    assert hasCell;
    return row.cellTimestamp();
  }
}
