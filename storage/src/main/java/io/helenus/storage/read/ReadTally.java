package io.helenus.storage.read;

import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;

/**
 * Counts what a read meets, as Cassandra does: live rows, static ones included; and of deletions
 * that are not past their grace each dead cell, each deleted or expired row that has none, and each
 * bound of a deleted range. What a deletion covers is not counted, nor are partition deletions.
 * Shard thread; reusable.
 */
final class ReadTally {
  private static final int NO_CELL_OF_A_ROW = RowFormat.CELL_COLUMN_DELETION;

  private long nowSeconds;
  private long graceSince;
  private boolean mayHoldDeadCells;
  private int rows;
  private int tombstones;

  /** Starts. Unless some source may hold dead cells, the cells of rows are not looked at. */
  void begin(long now, long gcGraceSeconds, boolean deadCells) {
    nowSeconds = now;
    graceSince = now - gcGraceSeconds;
    mayHoldDeadCells = deadCells;
    rows = 0;
    tombstones = 0;
  }

  /** Counts a row; whether it is live. Small, so that it disappears in the loops that call it. */
  boolean count(RowView row) {
    if (mayHoldDeadCells || !row.isLive(nowSeconds)) {
      return look(row);
    }
    rows++;
    return true;
  }

  /** The long way, for a row that may be dead or have something dead in it. */
  private boolean look(RowView row) {
    int dead = mayHoldDeadCells ? deadCells(row) : 0;
    tombstones += dead;
    if (RowMerge.isLive(row, nowSeconds)) {
      rows++;
      return true;
    }
    if (dead == 0 && isMarkedDead(row)) {
      tombstones++;
    }
    return false;
  }

  private int deadCells(RowView row) {
    int dead = 0;
    row.rewind();
    while (row.nextCell()) {
      if (!row.cellIsLive(nowSeconds)
          && row.cellSeconds() >= graceSince
          && (row.cellFlags() & NO_CELL_OF_A_ROW) == 0) {
        dead++;
      }
    }
    return dead;
  }

  private boolean isMarkedDead(RowView row) {
    return (row.hasDeletion() && row.deletionSeconds() >= graceSince)
        || (row.hasLiveness() && row.isExpiring() && row.expirySeconds() >= graceSince);
  }

  /** Deletions made at or after this second are counted. */
  long graceSince() {
    return graceSince;
  }

  /** Counts range tombstone bounds. */
  void countBounds(int count) {
    tombstones += count;
  }

  int rows() {
    return rows;
  }

  int tombstones() {
    return tombstones;
  }
}
