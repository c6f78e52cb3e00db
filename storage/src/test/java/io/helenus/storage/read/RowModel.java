package io.helenus.storage.read;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The expected result of reads, recomputed from the list of all writes: no merging, no state. Rows
 * are (partition, a, b); the static row has b = -1. Cells of the multi-cell column have the numbers
 * of {@link #pathCell}; the cell {@link #KEY_FORM} does not make a row exist. Deliberately
 * reimplements the rules for timestamp ties.
 */
final class RowModel {
  static final int STATIC = -1;
  static final int MULTI_CELL = 5;
  static final int KEY_FORM = 6;
  private static final int PATHS_FROM = 1000;

  /** The number of a cell of the multi-cell column among the cells of a row. */
  static int pathCell(int path) {
    return PATHS_FROM + path;
  }

  /** A write; which fields are used depends on the kind. */
  record Write(
      Kind kind,
      int partition,
      int a,
      int b,
      int column,
      long timestamp,
      int ttl,
      long seconds,
      String value,
      int toA,
      int toB) {
    /** Whether a range deletion covers a row. */
    boolean covers(int rowA, int rowB) {
      return order(rowA, rowB, a, b) >= 0 && order(rowA, rowB, toA, toB) <= 0;
    }

    /** 0 if the bound is a prefix of the row. */
    private static int order(int rowA, int rowB, int boundA, int boundB) {
      if (rowA != boundA) {
        return Integer.compare(rowA, boundA);
      }
      return boundB < 0 ? 0 : Integer.compare(rowB, boundB);
    }
  }

  enum Kind {
    LIVENESS,
    CELL,
    TOMBSTONE,
    COLUMN_DELETION,
    ROW_DELETION,
    RANGE_DELETION,
    PARTITION_DELETION
  }

  /** A visible row: its live cells by column. */
  record Row(int a, int b, TreeMap<Integer, String> cells) {}

  private final List<Write> writes = new ArrayList<>();

  void add(Write write) {
    writes.add(write);
  }

  int size() {
    return writes.size();
  }

  /**
   * The live rows of a partition after the first {@code count} writes; the static row separately.
   */
  List<Row> rows(int partition, int count, long now) {
    TreeSet<Long> keys = new TreeSet<>();
    for (Write write : writes.subList(0, count)) {
      if (write.partition == partition && isOfRow(write) && write.b != STATIC) {
        keys.add((long) write.a << 32 | write.b);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (long key : keys) {
      Row row = row(partition, (int) (key >> 32), (int) key, count, now);
      if (row != null) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static boolean isOfRow(Write write) {
    return write.kind != Kind.RANGE_DELETION && write.kind != Kind.PARTITION_DELETION;
  }

  /** A row as a reader sees it, or null. */
  @Nullable Row row(int partition, int a, int b, int count, long now) {
    long deleted = Long.MIN_VALUE;
    long columnDeleted = Long.MIN_VALUE;
    Write liveness = null;
    TreeMap<Integer, Write> cells = new TreeMap<>();
    for (Write write : writes.subList(0, count)) {
      if (write.partition != partition) {
        continue;
      }
      boolean same = write.a == a && write.b == b;
      switch (write.kind) {
        case PARTITION_DELETION -> deleted = Math.max(deleted, write.timestamp);
        case RANGE_DELETION -> {
          if (b != STATIC && write.covers(a, b)) {
            deleted = Math.max(deleted, write.timestamp);
          }
        }
        case ROW_DELETION -> {
          if (same) {
            deleted = Math.max(deleted, write.timestamp);
          }
        }
        case COLUMN_DELETION -> {
          if (same) {
            columnDeleted = Math.max(columnDeleted, write.timestamp);
          }
        }
        case LIVENESS -> {
          if (same && (liveness == null || beats(write, liveness))) {
            liveness = write;
          }
        }
        case CELL, TOMBSTONE -> {
          Write old = same ? cells.get(write.column) : null;
          if (same && (old == null || beats(write, old))) {
            cells.put(write.column, write);
          }
        }
      }
    }
    long hidesPaths = columnDeleted;
    cells.values().removeIf(cell -> cell.column >= PATHS_FROM && cell.timestamp <= hidesPaths);
    return visible(a, b, deleted, liveness, cells, now);
  }

  private static @Nullable Row visible(
      int a,
      int b,
      long deleted,
      @Nullable Write liveness,
      TreeMap<Integer, Write> cells,
      long now) {
    boolean exists = liveness != null && liveness.timestamp > deleted && lives(liveness, now);
    TreeMap<Integer, String> values = new TreeMap<>();
    for (Write cell : cells.values()) {
      if (cell.timestamp > deleted && cell.kind == Kind.CELL && lives(cell, now)) {
        values.put(
            cell.column, cell.value + "@" + cell.timestamp + (cell.ttl > 0 ? "+" + cell.ttl : ""));
        exists |= cell.column != KEY_FORM;
      }
    }
    return exists ? new Row(a, b, values) : null;
  }

  private static boolean lives(Write write, long now) {
    return write.ttl == 0 || now < write.seconds;
  }

  private static int rank(Write write) {
    return write.kind == Kind.TOMBSTONE ? 2 : write.ttl > 0 ? 1 : 0;
  }

  private static boolean beats(Write a, Write b) {
    if (a.timestamp != b.timestamp) {
      return a.timestamp > b.timestamp;
    }
    if (rank(a) != rank(b)) {
      return rank(a) > rank(b);
    }
    if (rank(a) > 0 && a.seconds != b.seconds) {
      return a.seconds > b.seconds;
    }
    if (a.ttl != b.ttl) {
      return a.ttl < b.ttl;
    }
    return a.value.compareTo(b.value) > 0;
  }
}
