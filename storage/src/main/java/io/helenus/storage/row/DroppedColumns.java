package io.helenus.storage.row;

/**
 * Which cells are invisible because their column was dropped: those at or before the drop.
 * Immutable; any thread.
 */
public final class DroppedColumns {
  /** No column was dropped. */
  public static final DroppedColumns NONE = new DroppedColumns(new int[0], new long[0]);

  private final int[] columns;
  private final long[] droppedAtMicros;

  /** Columns and the timestamps of their drops, side by side. */
  public DroppedColumns(int[] columns, long[] droppedAtMicros) {
    this.columns = columns.clone();
    this.droppedAtMicros = droppedAtMicros.clone();
  }

  /** Whether there is nothing to ask. */
  public boolean isEmpty() {
    return columns.length == 0;
  }

  /** Whether a cell is invisible. */
  public boolean hides(int column, long timestamp) {
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] == column) {
        return timestamp <= droppedAtMicros[i];
      }
    }
    return false;
  }
}
