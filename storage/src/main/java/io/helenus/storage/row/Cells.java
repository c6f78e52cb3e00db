package io.helenus.storage.row;

import io.helenus.storage.bytes.Bytes;

/**
 * Which of two versions of a cell, liveness or deletion wins: storage/docs/rows.md,
 * "Reconciliation". Pure functions; any thread.
 */
public final class Cells {
  private Cells() {}

  /**
   * Whether the current cell of {@code a} wins over that of {@code b}, which has the same column
   * and path; ties go to {@code a}. Not for two counter cells, whose shares are merged.
   */
  static boolean wins(RowView a, RowView b) {
    boolean aTombstone = a.cellIsTombstone();
    boolean bTombstone = b.cellIsTombstone();
    if (aTombstone != bTombstone
        && ((a.cellFlags() | b.cellFlags()) & RowFormat.CELL_COUNTER) != 0) {
      return aTombstone; // a deleted counter stays deleted
    }
    if (a.cellTimestamp() != b.cellTimestamp()) {
      return a.cellTimestamp() > b.cellTimestamp();
    }
    if (aTombstone != bTombstone) {
      return aTombstone;
    }
    if (a.cellIsExpiring() != b.cellIsExpiring()) {
      return a.cellIsExpiring();
    }
    if (a.cellSeconds() != b.cellSeconds()) {
      return a.cellSeconds() > b.cellSeconds();
    }
    if (aTombstone) {
      return true;
    }
    if (a.cellTtl() != b.cellTtl()) {
      return a.cellTtl() < b.cellTtl(); // with the same expiry, the shorter TTL was written later
    }
    return Bytes.compare(
            a.segment(),
            a.valueOffset(),
            a.valueLength(),
            b.segment(),
            b.valueOffset(),
            b.valueLength())
        >= 0;
  }

  /** Whether the liveness of {@code a} wins over that of {@code b}; ties go to {@code a}. */
  static boolean livenessWins(RowView a, RowView b) {
    if (!a.hasLiveness() || !b.hasLiveness()) {
      return a.hasLiveness();
    }
    if (a.timestamp() != b.timestamp()) {
      return a.timestamp() > b.timestamp();
    }
    if (a.isExpiring() != b.isExpiring()) {
      return a.isExpiring();
    }
    if (a.expirySeconds() != b.expirySeconds()) {
      return a.expirySeconds() > b.expirySeconds();
    }
    return a.ttl() <= b.ttl();
  }

  /** Whether a deletion wins over another: by timestamp, then by seconds. */
  public static boolean deletionWins(
      long timestamp, long seconds, long otherTimestamp, long otherSeconds) {
    return timestamp != otherTimestamp ? timestamp > otherTimestamp : seconds > otherSeconds;
  }

  /**
   * The order of two cells within a row: by column, the column deletion first, then by path. 0
   * means that they are versions of the same cell.
   */
  static int order(RowView a, RowView b) {
    if (a.column() != b.column()) {
      return a.column() < b.column() ? -1 : 1;
    }
    boolean aDeletion = (a.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0;
    boolean bDeletion = (b.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0;
    if (aDeletion || bDeletion) {
      return aDeletion == bDeletion ? 0 : aDeletion ? -1 : 1;
    }
    if (a.pathLength() < 0 || b.pathLength() < 0) {
      return Integer.compare(a.pathLength(), b.pathLength());
    }
    return Bytes.compare(
        a.segment(), a.pathOffset(), a.pathLength(), b.segment(), b.pathOffset(), b.pathLength());
  }
}
