package io.helenus.storage.engine;

import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.RowFormat;
import java.util.List;

/**
 * What storage knows of a table: ids and knobs, no names and no types. Immutable; any thread.
 *
 * @param id of the metadata log, never used twice
 * @param columns by ascending id; columns that were dropped stay, with the time of the drop
 * @param gcGraceSeconds how long tombstones are kept at least
 * @param compression of new files
 * @param compactionMinThreshold size-tiered: how many files of a size make a compaction; 0 switches
 *     compaction off
 * @param compactionMaxThreshold size-tiered: how many at most
 * @param bloomFalsePositiveChance of new files
 */
public record TableDescriptor(
    int id,
    List<Column> columns,
    int gcGraceSeconds,
    Compression compression,
    int compactionMinThreshold,
    int compactionMaxThreshold,
    double bloomFalsePositiveChance) {

  /** How blocks of new files are compressed. */
  public enum Compression {
    /** As they are. */
    NONE,
    /** LZ4 block format. */
    LZ4
  }

  /** The kind of a column's cells. */
  public enum Kind {
    /** One cell. */
    SIMPLE,
    /** Cells by path. */
    MULTI_CELL,
    /** Counter shares. */
    COUNTER
  }

  /**
   * A column; cells at or before {@code droppedAtMicros} are invisible.
   *
   * @param droppedAtMicros the timestamp of the drop, or {@link
   *     io.helenus.storage.row.RowFormat#NO_TIMESTAMP}
   */
  public record Column(int id, Kind kind, long droppedAtMicros) {}

  /** Checks and copies. */
  public TableDescriptor {
    columns = List.copyOf(columns);
    if (id <= 0) {
      throw new IllegalArgumentException("table id " + id);
    }
  }

  /** The columns that were dropped, with the times of their drops. */
  public DroppedColumns droppedColumns() {
    List<Column> dropped =
        columns.stream().filter(c -> c.droppedAtMicros() != RowFormat.NO_TIMESTAMP).toList();
    return dropped.isEmpty()
        ? DroppedColumns.NONE
        : new DroppedColumns(
            dropped.stream().mapToInt(Column::id).toArray(),
            dropped.stream().mapToLong(Column::droppedAtMicros).toArray());
  }
}
