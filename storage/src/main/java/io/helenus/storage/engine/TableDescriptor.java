package io.helenus.storage.engine;

import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.RowFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a table's definition that storage needs: ids and options, but no names and no types.
 * Immutable; any thread.
 *
 * @param id assigned by the metadata log, never reused
 * @param columns by ascending id, including dropped columns with the time of the drop
 * @param gcGraceSeconds the grace period: the minimum time that tombstones are kept
 * @param compression of new files
 * @param compactionMinThreshold size-tiered: minimum number of files to compact; 0 disables
 *     compaction
 * @param compactionMaxThreshold size-tiered: maximum number of files to compact
 * @param bloomFalsePositiveChance of new files
 * @param indexes the indexes that the table has now
 * @param rowsNeedLiveness whether a row exists only as long as its liveness is live, whatever cells
 *     it has; otherwise a live cell makes it exist too
 */
public record TableDescriptor(
    int id,
    List<Column> columns,
    int gcGraceSeconds,
    Compression compression,
    int compactionMinThreshold,
    int compactionMaxThreshold,
    double bloomFalsePositiveChance,
    List<IndexDescriptor> indexes,
    boolean rowsNeedLiveness) {

  /** How blocks of new files are compressed. */
  public enum Compression {
    /** Uncompressed. */
    NONE,
    /** The LZ4 block format. */
    LZ4
  }

  /** The kind of a column's cells. */
  public enum Kind {
    /** One cell. */
    SIMPLE,
    /** One cell per path. */
    MULTI_CELL,
    /** Counter shares. */
    COUNTER
  }

  /**
   * A column; cells at or before {@code droppedAtMicros} are hidden.
   *
   * @param droppedAtMicros the timestamp of the drop, or {@link
   *     io.helenus.storage.row.RowFormat#NO_TIMESTAMP}
   * @param present whether the table has the column now; reads ignore all cells of one that was
   *     dropped and not added again
   */
  public record Column(int id, Kind kind, long droppedAtMicros, boolean present) {
    /** A column that the table has now. */
    public Column(int id, Kind kind, long droppedAtMicros) {
      this(id, kind, droppedAtMicros, true);
    }
  }

  /** Validates and copies. */
  public TableDescriptor {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
    if (id <= 0) {
      throw new IllegalArgumentException("invalid table id: " + id);
    }
  }

  /**
   * The same table, of which neither tombstones nor expired cells are purged: nobody knows that the
   * other replicas have them.
   */
  public TableDescriptor keepingDeletions() {
    return new TableDescriptor(
        id,
        columns,
        Integer.MAX_VALUE,
        compression,
        compactionMinThreshold,
        compactionMaxThreshold,
        bloomFalsePositiveChance,
        indexes,
        rowsNeedLiveness);
  }

  /** A table in which live cells make a row exist. */
  public TableDescriptor(
      int id,
      List<Column> columns,
      int gcGraceSeconds,
      Compression compression,
      int compactionMinThreshold,
      int compactionMaxThreshold,
      double bloomFalsePositiveChance,
      List<IndexDescriptor> indexes) {
    this(
        id,
        columns,
        gcGraceSeconds,
        compression,
        compactionMinThreshold,
        compactionMaxThreshold,
        bloomFalsePositiveChance,
        indexes,
        false);
  }

  /** A table without indexes. */
  public TableDescriptor(
      int id,
      List<Column> columns,
      int gcGraceSeconds,
      Compression compression,
      int compactionMinThreshold,
      int compactionMaxThreshold,
      double bloomFalsePositiveChance) {
    this(
        id,
        columns,
        gcGraceSeconds,
        compression,
        compactionMinThreshold,
        compactionMaxThreshold,
        bloomFalsePositiveChance,
        List.of());
  }

  /**
   * A table of the node itself, whose rows have a single cell. Its tombstones have no grace period.
   */
  public static TableDescriptor ofSingleCells(int id, int columnId) {
    return new TableDescriptor(
        id,
        List.of(new Column(columnId, Kind.SIMPLE, RowFormat.NO_TIMESTAMP)),
        0,
        Compression.LZ4,
        4,
        32,
        0.01);
  }

  /** The same table with other columns. */
  TableDescriptor withColumns(List<Column> others) {
    return new TableDescriptor(
        id,
        others,
        gcGraceSeconds,
        compression,
        compactionMinThreshold,
        compactionMaxThreshold,
        bloomFalsePositiveChance,
        indexes,
        rowsNeedLiveness);
  }

  /** The index with an id, or null. */
  public @Nullable IndexDescriptor index(int indexId) {
    for (IndexDescriptor index : indexes) {
      if (index.id() == indexId) {
        return index;
      }
    }
    return null;
  }

  /** Whether it has indexes of vectors. */
  public boolean hasVectors() {
    return indexes.stream().anyMatch(index -> index.vectors() != null);
  }

  /** The ids of the multi-cell columns, dropped ones included, ascending. */
  public int[] multiCellColumns() {
    return columns.stream().filter(c -> c.kind() == Kind.MULTI_CELL).mapToInt(Column::id).toArray();
  }

  /** The dropped columns with the times of their drops: the cells that can be discarded. */
  public DroppedColumns droppedColumns() {
    return dropped(false);
  }

  /** The cells that reads ignore: those that can be discarded, and those of absent columns. */
  public DroppedColumns unreadableColumns() {
    return dropped(true);
  }

  private DroppedColumns dropped(boolean hideAbsent) {
    List<Column> dropped =
        columns.stream().filter(c -> c.droppedAtMicros() != RowFormat.NO_TIMESTAMP).toList();
    return dropped.isEmpty()
        ? DroppedColumns.NONE
        : new DroppedColumns(
            dropped.stream().mapToInt(Column::id).toArray(),
            dropped.stream()
                .mapToLong(c -> hideAbsent && !c.present() ? Long.MAX_VALUE : c.droppedAtMicros())
                .toArray());
  }
}
