package io.helenus.storage.row;

/**
 * The dropped columns of a table: cells written at or before the drop are hidden. Immutable; any
 * thread.
 */
public final class DroppedColumns {
  /** No column was dropped. */
  public static final DroppedColumns NONE = new DroppedColumns(new int[0], new long[0]);

  private final int[] columns;
  private final long[] droppedAtMicros;

  /** Parallel arrays of column ids and the timestamps of their drops. */
  public DroppedColumns(int[] columns, long[] droppedAtMicros) {
    this.columns = columns.clone();
    this.droppedAtMicros = droppedAtMicros.clone();
  }

  /** Whether no column was dropped. */
  public boolean isEmpty() {
    return columns.length == 0;
  }

  /** Whether a cell is hidden. */
  public boolean hides(int column, long timestamp) {
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] == column) {
        return timestamp <= droppedAtMicros[i];
      }
    }
    return false;
  }
}
