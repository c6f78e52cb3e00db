package io.helenus.storage.row;

import java.util.Arrays;

/**
 * The deletions in a row's entry that cover elements of the row: the row deletion and the column
 * deletions. One thread at a time; reusable.
 */
public final class ElementDeletions {
  private long rowDeletion = RowFormat.NO_TIMESTAMP;
  private int[] columns = new int[4];
  private long[] timestamps = new long[4];
  private int count;

  /** Removes all deletions. */
  public void clear() {
    rowDeletion = RowFormat.NO_TIMESTAMP;
    count = 0;
  }

  /** Covers all elements. */
  public void coverAll() {
    rowDeletion = Long.MAX_VALUE;
  }

  /** Takes the deletions of a row; leaves the view after its last cell. */
  public void load(RowView row) {
    rowDeletion = row.deletionTimestamp();
    count = 0;
    row.rewind();
    while (row.nextCell()) {
      if ((row.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0) {
        if (count == columns.length) {
          columns = Arrays.copyOf(columns, 2 * count);
          timestamps = Arrays.copyOf(timestamps, 2 * count);
        }
        columns[count] = row.column();
        timestamps[count++] = row.cellTimestamp();
      }
    }
  }

  /**
   * The timestamp up to which elements of a column are deleted, or {@link RowFormat#NO_TIMESTAMP}.
   */
  public long covering(int column) {
    for (int i = 0; i < count; i++) {
      if (columns[i] == column) {
        return Math.max(rowDeletion, timestamps[i]);
      }
    }
    return rowDeletion;
  }
}
