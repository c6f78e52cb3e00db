package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;

/**
 * Reconciles encoded rows (storage/docs/rows.md): merges two versions of a row, applies a deletion
 * to a row, purges a row's old deletions. Each method writes a new row and returns whether anything
 * is left of it; if not, nothing was written. Views passed in are left after their last cell.
 * Resulting rows are in normal form: no cell is covered by the row's own row or column deletions.
 * One thread at a time; reusable; stateless between calls.
 */
public final class RowMerge {
  /**
   * How long an expired cell keeps its value at least. A read sees what was live when it began,
   * perhaps in files that a compaction has written since.
   */
  private static final long KEPT_VALUE_SECONDS = 600;

  private final RowEncoder encoder = new RowEncoder();
  private final ByteWriter shares = new ByteWriter(256);
  private long columnDeletion;
  private int columnOfDeletion;

  /**
   * Whether {@code newer} supersedes {@code older} entirely, as an overwrite of the same columns
   * does. False negatives are possible.
   */
  public static boolean covers(RowView newer, RowView older) {
    newer.rewind();
    older.rewind();
    if (older.hasDeletion()
        && Cells.deletionWins(
            older.deletionTimestamp(), older.deletionSeconds(),
            newer.deletionTimestamp(), newer.deletionSeconds())) {
      return false;
    }
    long deletion = newer.deletionTimestamp();
    if (older.hasLiveness()
        && older.timestamp() > deletion
        && !(newer.hasLiveness() && newer.timestamp() > older.timestamp())) {
      return false;
    }
    while (older.nextCell()) {
      if (older.cellTimestamp() <= deletion) {
        continue;
      }
      if (older.pathLength() >= 0 || (older.cellFlags() & RowFormat.CELL_COUNTER) != 0) {
        return false;
      }
      if (!seekColumn(newer, older.column())
          || newer.cellTimestamp() <= older.cellTimestamp()
          || (newer.cellFlags() & RowFormat.CELL_COUNTER) != 0
          || (older.cellFlags() & ~newer.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Moves forward to the simple cell of a column; the view is before it or at it. */
  private static boolean seekColumn(RowView row, int column) {
    while (row.nextCell()) {
      if (row.column() >= column) {
        return row.column() == column && row.pathLength() < 0;
      }
    }
    return false;
  }

  /** Writes the merge of two versions of a row. */
  public boolean merge(RowView a, RowView b, ByteWriter out) {
    a.rewind();
    b.rewind();
    boolean aDeletes =
        Cells.deletionWins(
            a.deletionTimestamp(), a.deletionSeconds(), b.deletionTimestamp(), b.deletionSeconds());
    RowView deleter = aDeletes ? a : b;
    long deletion = deleter.deletionTimestamp();
    beginMerged(Cells.livenessWins(a, b) ? a : b, a, b, deletion, out);
    if (deleter.hasDeletion()) {
      encoder.deletion(deletion, deleter.deletionSeconds());
    }
    columnOfDeletion = -1;
    boolean hasA = a.nextCell();
    boolean hasB = b.nextCell();
    while (hasA || hasB) {
      int order = !hasA ? 1 : !hasB ? -1 : Cells.order(a, b);
      if (order == 0) {
        mergeCells(a, b, deletion);
      } else {
        put(order < 0 ? a : b, deletion);
      }
      hasA = order <= 0 ? a.nextCell() : hasA;
      hasB = order >= 0 ? b.nextCell() : hasB;
    }
    return encoder.end();
  }

  private void beginMerged(RowView alive, RowView a, RowView b, long deletion, ByteWriter out) {
    boolean lives = alive.hasLiveness() && alive.timestamp() > deletion;
    RowView expiring = lives ? alive : a.isExpiring() ? a : b;
    encoder.begin(out, expiring.ttl(), expiring.expirySeconds());
    if (lives) {
      encoder.liveness(alive.timestamp());
    }
  }

  private void mergeCells(RowView a, RowView b, long deletion) {
    if (((a.cellFlags() | b.cellFlags()) & RowFormat.CELL_COUNTER) == 0) {
      put(Cells.wins(a, b) ? a : b, deletion);
    } else {
      mergeCounters(a, b, deletion);
    }
  }

  private void mergeCounters(RowView a, RowView b, long deletion) {
    if (!isVisible(a, deletion) || !isVisible(b, deletion)) {
      put(a, deletion);
      put(b, deletion);
      return;
    }
    if (a.cellIsTombstone() || b.cellIsTombstone()) {
      put(Cells.wins(a, b) ? a : b, deletion);
      return;
    }
    CounterShares.merge(a, b, deletion, shares.clear());
    long timestamp = Math.max(a.cellTimestamp(), b.cellTimestamp());
    encoder.counter(a, timestamp, shares.segment(), 0, shares.size());
  }

  private void put(RowView view, long deletion) {
    if (!isVisible(view, deletion)) {
      return;
    }
    if (losesShares(view, deletion)) {
      CounterShares.uncovered(view, deletion, shares.clear());
      encoder.counter(view, view.cellTimestamp(), shares.segment(), 0, shares.size());
    } else {
      encoder.cell(view);
      noteColumnDeletion(view);
    }
  }

  /** Whether a deletion covers some shares of the current cell, which is a visible counter. */
  private static boolean losesShares(RowView view, long deletion) {
    return (view.cellFlags() & RowFormat.CELL_COUNTER) != 0
        && deletion != RowFormat.NO_TIMESTAMP
        && CounterShares.isCovered(view, deletion);
  }

  private void noteColumnDeletion(RowView view) {
    if ((view.cellFlags() & RowFormat.CELL_COLUMN_DELETION) != 0) {
      columnOfDeletion = view.column();
      columnDeletion = view.cellTimestamp();
    }
  }

  private boolean isVisible(RowView view, long deletion) {
    return view.cellTimestamp() > deletion
        && (view.column() != columnOfDeletion || view.cellTimestamp() > columnDeletion);
  }

  /**
   * Whether {@link #filter} would change the row: the deletion covers part of it, or it has cells
   * of dropped columns.
   */
  public static boolean needsFilter(RowView row, long deletion, DroppedColumns dropped) {
    if (deletion == RowFormat.NO_TIMESTAMP && dropped.isEmpty()) {
      return false;
    }
    if (row.hasLiveness() && row.timestamp() <= deletion
        || row.hasDeletion() && row.deletionTimestamp() <= deletion) {
      return true;
    }
    row.rewind();
    while (row.nextCell()) {
      if (row.cellTimestamp() <= deletion
          || dropped.hides(row.column(), row.cellTimestamp())
          || losesShares(row, deletion)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Writes a row in normal form without the cells that a deletion of its range or partition covers
   * ({@link RowFormat#NO_TIMESTAMP} for none) and without those of dropped columns.
   */
  public boolean filter(RowView row, long deletion, DroppedColumns dropped, ByteWriter out) {
    boolean lives = row.hasLiveness() && row.timestamp() > deletion;
    row.rewind();
    encoder.begin(out, row.ttl(), row.expirySeconds());
    if (lives) {
      encoder.liveness(row.timestamp());
    }
    if (row.hasDeletion() && row.deletionTimestamp() > deletion) {
      encoder.deletion(row.deletionTimestamp(), row.deletionSeconds());
    }
    columnOfDeletion = -1;
    while (row.nextCell()) {
      if (!dropped.hides(row.column(), row.cellTimestamp())) {
        put(row, deletion);
      }
    }
    return encoder.end();
  }

  /** Writes a row in normal form: its own deletions applied to its cells. */
  public boolean normalize(RowView row, ByteWriter out) {
    return merge(row, new RowView().wrap(row.segment(), row.offset(), row.length()), out);
  }

  /**
   * Whether {@link #purge} could change the row: it contains deletions, expires, or consists only
   * of the wire values of clustering columns.
   */
  public static boolean needsPurge(RowView row) {
    if (row.hasDeletion() || row.isExpiring()) {
      return true;
    }
    boolean saysMore = row.hasLiveness();
    row.rewind();
    while (row.nextCell()) {
      int purgeable =
          RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION | RowFormat.CELL_EXPIRING;
      if ((row.cellFlags() & purgeable) != 0) {
        return true;
      }
      saysMore |= (row.cellFlags() & RowFormat.CELL_KEY_FORM) == 0;
    }
    return !saysMore;
  }

  /**
   * Writes a row in normal form without the deletions that have a timestamp below {@code
   * purgeableBefore} and were made before {@code gcBeforeSeconds}. Expired cells are treated as
   * deletions, and lose their values once no read that began before can be left; they do not become
   * tombstones, which would win over cells with the same timestamp against which an expired cell
   * loses. The wire value of a clustering column is removed together with the last cell or deletion
   * of the row, unless {@code keepForm}.
   *
   * @param needsLiveness whether the row is of a table in which cells do not make it exist: then
   *     its expired liveness is removed only together with all of its cells, once nothing of its
   *     partition is elsewhere
   */
  public boolean purge(
      RowView row,
      long nowSeconds,
      long gcBeforeSeconds,
      long purgeableBefore,
      boolean keepForm,
      boolean needsLiveness,
      ByteWriter out) {
    boolean expired = row.isExpiring() && row.expirySeconds() <= nowSeconds;
    boolean lives =
        row.hasLiveness()
            && !(expired
                && row.timestamp() < purgeableBefore
                && row.expirySeconds() < gcBeforeSeconds
                && (!needsLiveness || purgeableBefore == Long.MAX_VALUE));
    boolean deletes =
        row.hasDeletion()
            && !(row.deletionTimestamp() < purgeableBefore
                && row.deletionSeconds() < gcBeforeSeconds);
    encoder.begin(out, row.ttl(), row.expirySeconds());
    if (lives) {
      encoder.liveness(row.timestamp());
    }
    if (deletes) {
      encoder.deletion(row.deletionTimestamp(), row.deletionSeconds());
    }
    if (needsLiveness && row.hasLiveness() && !lives) {
      return encoder.end();
    }
    boolean keepsForm =
        keepForm
            || lives
            || deletes
            || keepsCells(row, nowSeconds, gcBeforeSeconds, purgeableBefore);
    row.rewind();
    while (row.nextCell()) {
      if (purges(row, nowSeconds, gcBeforeSeconds, purgeableBefore)
          || isForm(row) && !keepsForm && row.cellTimestamp() < purgeableBefore) {
        continue;
      }
      if (row.cellIsExpiring() && row.cellSeconds() + KEPT_VALUE_SECONDS <= nowSeconds) {
        encoder.withoutValue(row);
      } else {
        encoder.cell(row);
      }
    }
    return encoder.end();
  }

  /**
   * Whether a row consists only of the wire values of clustering columns, all written before a
   * timestamp.
   */
  public static boolean isFormBefore(RowView row, long timestamp) {
    if (row.hasLiveness() || row.hasDeletion()) {
      return false;
    }
    row.rewind();
    while (row.nextCell()) {
      if (!isForm(row) || row.cellTimestamp() >= timestamp) {
        return false;
      }
    }
    return true;
  }

  private static boolean isForm(RowView row) {
    return (row.cellFlags() & RowFormat.CELL_KEY_FORM) != 0;
  }

  /** Whether a purge leaves cells other than the wire values of clustering columns. */
  private static boolean keepsCells(
      RowView row, long nowSeconds, long gcBeforeSeconds, long purgeableBefore) {
    row.rewind();
    while (row.nextCell()) {
      if (!isForm(row) && !purges(row, nowSeconds, gcBeforeSeconds, purgeableBefore)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a purge removes the view's current cell. */
  private static boolean purges(
      RowView row, long nowSeconds, long gcBeforeSeconds, long purgeableBefore) {
    boolean over = row.cellIsExpiring() && row.cellSeconds() <= nowSeconds;
    boolean deletes =
        over
            || (row.cellFlags() & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) != 0;
    // an expired cell counts as deleted when it was written, as in Cassandra
    long seconds = over ? row.cellSeconds() - row.cellTtl() : row.cellSeconds();
    return deletes && row.cellTimestamp() < purgeableBefore && seconds < gcBeforeSeconds;
  }

  /**
   * Whether a row exists at a time: its liveness or a cell is live, wire values of clustering
   * columns not counted.
   */
  public static boolean isLive(RowView row, long nowSeconds) {
    if (row.isLive(nowSeconds)) {
      return true;
    }
    row.rewind();
    while (row.nextCell()) {
      if (row.cellMakesRowLive(nowSeconds)) {
        return true;
      }
    }
    return false;
  }
}
