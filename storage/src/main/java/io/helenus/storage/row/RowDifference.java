package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the part of a merged row that one of its versions lacks: read repair. One thread at a
 * time; reusable; stateless between calls.
 */
public final class RowDifference {
  private final RowEncoder encoder = new RowEncoder();
  private long nowSeconds;

  /** Sets the time of the read, in seconds since 1970. */
  public void begin(long newNowSeconds) {
    nowSeconds = newNowSeconds;
  }

  /**
   * Writes what {@code merged} has and {@code version} has not, liveness, deletions and cells with
   * their own timestamps and TTLs. Returns false and writes nothing if that is nothing. Leaves the
   * views after a cell.
   *
   * @param version null if there is none
   * @param columns the ids of the columns whose values are known, ascending; null for all. Live
   *     cells of others are left out.
   */
  public boolean row(
      RowView merged, @Nullable RowView version, int @Nullable [] columns, ByteWriter out) {
    boolean lives = merged.hasLiveness() && (version == null || !sameLiveness(merged, version));
    boolean expires = lives && merged.isExpiring();
    encoder.begin(out, expires ? merged.ttl() : 0, expires ? merged.expirySeconds() : 0);
    if (lives) {
      encoder.liveness(merged.timestamp());
    }
    if (merged.hasDeletion() && (version == null || !sameDeletion(merged, version))) {
      encoder.deletion(merged.deletionTimestamp(), merged.deletionSeconds());
    }
    merged.rewind();
    boolean more = version != null && version.rewind().nextCell();
    while (merged.nextCell()) {
      int order = -1;
      while (version != null && more) {
        order = Cells.order(merged, version);
        if (order <= 0) {
          break;
        }
        more = version.nextCell();
      }
      boolean known =
          isKnown(merged, columns == null || Arrays.binarySearch(columns, merged.column()) >= 0);
      if (known && !(version != null && more && order == 0 && same(merged, version))) {
        encoder.cell(merged);
      }
    }
    return encoder.end();
  }

  /**
   * Writes an element, the current cell of a view, as the row of a mutation if the version lacks
   * it; the version's view is at its cell. Returns whether it did.
   */
  public boolean element(
      RowView merged, @Nullable RowView version, boolean known, ElementView at, ByteWriter out) {
    if (!isKnown(merged, known) || version != null && same(merged, version)) {
      return false;
    }
    encoder.begin(out, 0, 0);
    encoder.withPath(merged, at.pathSegment(), at.pathOffset(), at.pathLength());
    return encoder.end();
  }

  /** Whether a cell has all that it should have: it is dead, or its value was sent. */
  private boolean isKnown(RowView cell, boolean wantsValue) {
    return wantsValue
        || (cell.cellFlags() & RowFormat.CELL_COUNTER) != 0
        || !cell.cellIsLive(nowSeconds);
  }

  private static boolean sameLiveness(RowView a, RowView b) {
    return b.hasLiveness()
        && a.timestamp() == b.timestamp()
        && a.isExpiring() == b.isExpiring()
        && a.ttl() == b.ttl()
        && a.expirySeconds() == b.expirySeconds();
  }

  private static boolean sameDeletion(RowView a, RowView b) {
    return a.deletionTimestamp() == b.deletionTimestamp()
        && a.deletionSeconds() == b.deletionSeconds();
  }

  private static boolean same(RowView a, RowView b) {
    int kinds =
        RowFormat.CELL_TOMBSTONE
            | RowFormat.CELL_COLUMN_DELETION
            | RowFormat.CELL_COUNTER
            | RowFormat.CELL_KEY_FORM;
    return a.cellTimestamp() == b.cellTimestamp()
        && ((a.cellFlags() ^ b.cellFlags()) & kinds) == 0
        && a.cellIsExpiring() == b.cellIsExpiring()
        && a.cellTtl() == b.cellTtl()
        && a.cellSeconds() == b.cellSeconds()
        && a.valueLength() == b.valueLength()
        && (a.valueLength() <= 0
            || Bytes.equal(
                a.segment(),
                a.valueOffset(),
                a.valueLength(),
                b.segment(),
                b.valueOffset(),
                b.valueLength()));
  }
}
