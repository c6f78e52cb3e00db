package io.helenus.storage.read;

import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;
import org.jspecify.annotations.Nullable;

/**
 * Counts live rows and tombstones as Cassandra does, and the blocks read. Live rows include static
 * rows. Tombstones are dead cells, deleted or expired rows without dead cells, and range tombstone
 * bounds, all of them only within their grace period; data covered by a deletion and partition
 * deletions do not count. Shard thread only; reusable.
 */
final class ReadTally {
  private static final int NOT_COUNTED = RowFormat.CELL_COLUMN_DELETION;

  private long nowSeconds;
  private long graceSince;
  private boolean mayHoldDeadCells;
  private boolean needLiveness;
  private boolean wantsDead;
  private int rows;
  private int tombstones;
  private int blocks;
  private long blockBytes;

  /** Resets the blocks. */
  void beginBlocks() {
    blocks = 0;
    blockBytes = 0;
  }

  /** Counts a block. */
  void countBlock(int length) {
    blocks++;
    blockBytes += length;
  }

  /** Resets the counts. Cells are examined only if some source may hold dead ones. */
  void begin(ReadRequest request, TableDescriptor table, boolean deadCells) {
    nowSeconds = request.nowSeconds();
    graceSince = nowSeconds - table.gcGraceSeconds();
    needLiveness = table.rowsNeedLiveness();
    wantsDead = request.keys().areDeadRowsWanted();
    mayHoldDeadCells = deadCells;
    rows = 0;
    tombstones = 0;
  }

  /**
   * Counts a row; returns whether it is to be returned. Small, so that it is inlined into the loops
   * that call it.
   */
  boolean count(RowView row) {
    if (mayHoldDeadCells || !row.isLive(nowSeconds)) {
      return countSlowly(row);
    }
    rows++;
    return true;
  }

  /** The slow path, for a row that may be dead or contain dead cells. */
  private boolean countSlowly(RowView row) {
    int dead = mayHoldDeadCells ? deadCells(row) : 0;
    tombstones += dead;
    if (needLiveness ? row.isLive(nowSeconds) : RowMerge.isLive(row, nowSeconds)) {
      rows++;
      return true;
    }
    if (dead == 0 && isMarkedDead(row)) {
      tombstones++;
    }
    return wantsDead;
  }

  /**
   * Counts a row that is sent raw; returns whether it is live.
   *
   * @param entry null if it has only elements
   * @param hasLiveElement whether one of its elements is live
   * @param deadElements how many of its elements are {@linkplain #isDead dead}
   */
  boolean countRaw(@Nullable RowView entry, boolean hasLiveElement, int deadElements) {
    int dead = deadElements + (entry == null ? 0 : deadCells(entry));
    tombstones += dead;
    boolean live =
        needLiveness
            ? entry != null && entry.isLive(nowSeconds)
            : hasLiveElement || entry != null && RowMerge.isLive(entry, nowSeconds);
    if (live) {
      rows++;
    } else if (dead == 0 && entry != null && isMarkedDead(entry)) {
      tombstones++;
    }
    return live;
  }

  /** The same for a row without elements that has nothing but a liveness and live values. */
  boolean countPlain(boolean hasLiveness) {
    boolean live = hasLiveness || !needLiveness;
    rows += live ? 1 : 0;
    return live;
  }

  private int deadCells(RowView row) {
    int dead = 0;
    row.rewind();
    while (row.nextCell()) {
      if (isDead(row)) {
        dead++;
      }
    }
    return dead;
  }

  /** Whether the current cell of a view counts as a tombstone. */
  boolean isDead(RowView row) {
    return !row.cellIsLive(nowSeconds)
        && row.cellSeconds() >= graceSince
        && (row.cellFlags() & NOT_COUNTED) == 0;
  }

  private boolean isMarkedDead(RowView row) {
    return (row.hasDeletion() && row.deletionSeconds() >= graceSince)
        || (row.hasLiveness() && row.isExpiring() && row.expirySeconds() >= graceSince);
  }

  /** The second from which on deletions count as tombstones: now minus the grace period. */
  long graceSince() {
    return graceSince;
  }

  /** Counts range tombstone bounds. */
  void countBounds(int count) {
    tombstones += count;
  }

  int blocks() {
    return blocks;
  }

  /** The size of the blocks, uncompressed. */
  long blockBytes() {
    return blockBytes;
  }

  int rows() {
    return rows;
  }

  int tombstones() {
    return tombstones;
  }
}
