package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import java.util.Arrays;

/**
 * Gives the cells of rows the column ids of another table, and the order of these ids. Everything
 * else of a row stays as it is. One thread at a time; reusable; stateless between calls.
 */
public final class RowTranslator {
  private final ColumnTranslation columns;
  private final RowEncoder encoder = new RowEncoder();
  // of each cell that stays: its new column id, and in the low half where it starts in the row
  private long[] cells = new long[16];

  public RowTranslator(ColumnTranslation columns) {
    this.columns = columns;
  }

  /** Whether all cells have the same ids afterwards. Leaves the view after a cell. */
  public boolean keeps(RowView row) {
    row.rewind();
    while (row.nextCell()) {
      if (columns.target(row.column()) != row.column()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes the translated row. Returns false and writes nothing if nothing is left of it. Leaves
   * the view after a cell.
   */
  public boolean row(RowView row, ByteWriter out) {
    int count = order(row);
    encoder.begin(out, row.ttl(), row.expirySeconds());
    if (row.hasLiveness()) {
      encoder.liveness(row.timestamp());
    }
    if (row.hasDeletion()) {
      encoder.deletion(row.deletionTimestamp(), row.deletionSeconds());
    }
    for (int i = 0; i < count; i++) {
      row.moveToCell((int) cells[i]);
      encoder.cell(row, (int) (cells[i] >>> Integer.SIZE));
    }
    return encoder.end();
  }

  /** Collects the cells in their new order; cells of one column keep theirs. */
  private int order(RowView row) {
    int count = 0;
    row.rewind();
    for (int at = row.nextCellOffset(); row.nextCell(); at = row.nextCellOffset()) {
      int column = columns.target(row.column());
      if (column == ColumnTranslation.LEFT_OUT) {
        continue;
      }
      if (count == cells.length) {
        cells = Arrays.copyOf(cells, 2 * count);
      }
      cells[count++] = (long) column << Integer.SIZE | at;
    }
    Arrays.sort(cells, 0, count);
    return count;
  }
}
