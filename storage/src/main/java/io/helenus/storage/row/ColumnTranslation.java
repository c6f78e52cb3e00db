package io.helenus.storage.row;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How the column ids of files become those of a table that has the same columns under other ids.
 * What belongs to other columns is left out. Immutable; any thread.
 */
public final class ColumnTranslation {
  /** The id of a column that is left out. */
  public static final int LEFT_OUT = -1;

  /**
   * A column.
   *
   * @param from its id in the files
   * @param to its id in the table
   * @param droppedAtMicros when it had been dropped, before it was added again: its cells of up to
   *     then are left out; or {@link RowFormat#NO_TIMESTAMP}
   */
  public record Column(int from, int to, long droppedAtMicros) {}

  private final List<Column> columns;
  private final int[] from;
  private final int[] to;

  /**
   * Translates these columns.
   *
   * @throws IllegalArgumentException if an id occurs twice
   */
  public ColumnTranslation(List<Column> columns) {
    this.columns = columns.stream().sorted(Comparator.comparingInt(Column::from)).toList();
    from = this.columns.stream().mapToInt(Column::from).toArray();
    to = this.columns.stream().mapToInt(Column::to).toArray();
    if (Arrays.stream(from).distinct().count() < from.length
        || Arrays.stream(to).distinct().count() < to.length) {
      throw new IllegalArgumentException("a column id occurs twice: " + columns);
    }
  }

  /** The columns, by their ids in the files. */
  public List<Column> columns() {
    return columns;
  }

  /** The id in the table of a column of the files, or {@link #LEFT_OUT}. */
  public int target(int column) {
    int index = Arrays.binarySearch(from, column);
    return index < 0 ? LEFT_OUT : to[index];
  }
}
