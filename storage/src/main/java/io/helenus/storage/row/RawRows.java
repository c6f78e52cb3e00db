package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows and elements in the one form that replicas send to each other
 * (storage/docs/raw-read.md): with the headers of all cells, and the values of those that are
 * wanted. Rows passed in are merged, and nothing of them is covered. One thread at a time;
 * reusable.
 */
public final class RawRows {
  /** How long an expired cell is sent with its value. */
  private static final long VALUE_SECONDS = 300;

  private final RowEncoder encoder = new RowEncoder();
  private long expiredBefore;

  /** Sets the time of the read, in seconds since 1970. */
  public void begin(long nowSeconds) {
    expiredBefore = nowSeconds - VALUE_SECONDS;
  }

  /**
   * Whether a row is sent as it is: it has nothing but a liveness and values, all of which are
   * wanted, none of which expires, and it is in normal form. Leaves the view at any cell.
   *
   * @param columns as for {@link #row}
   */
  public static boolean isPlain(RowView row, int @Nullable [] columns) {
    if (row.isExpiring() || row.hasDeletion()) {
      return false;
    }
    boolean based = row.hasLiveness();
    row.rewind();
    while (row.nextCell()) {
      int flags = row.cellFlags();
      boolean normal =
          flags == 0
              || flags == RowFormat.CELL_OWN_TIMESTAMP
                  && based
                  && row.cellTimestamp() != row.timestamp();
      if (!normal || columns != null && Arrays.binarySearch(columns, row.column()) < 0) {
        return false;
      }
      based = true;
    }
    return based;
  }

  /**
   * Writes a row or the entry of a row. Leaves the view after its last cell.
   *
   * @param columns the ids of the columns whose values are wanted, ascending; null for all
   * @return false if nothing of it is sent, and nothing was written: what is left of a row may be
   *     no more than the form of its key
   */
  public boolean row(RowView row, int @Nullable [] columns, ByteWriter out) {
    boolean expires = row.hasLiveness() && row.isExpiring();
    encoder.begin(out, expires ? row.ttl() : 0, expires ? row.expirySeconds() : 0);
    if (row.hasLiveness()) {
      encoder.liveness(row.timestamp());
    }
    if (row.hasDeletion()) {
      encoder.deletion(row.deletionTimestamp(), row.deletionSeconds());
    }
    row.rewind();
    while (row.nextCell()) {
      put(row, columns == null || Arrays.binarySearch(columns, row.column()) >= 0);
    }
    return encoder.end();
  }

  /** Writes the value of an element, whose cell is the current one of a view. */
  public void element(RowView cell, boolean wantsValue, int pathLength, ByteWriter out) {
    out.putVarint(ElementView.suffixLength(pathLength));
    encoder.begin(out, 0, 0);
    put(cell, wantsValue);
    boolean written = encoder.end();
    assert written;
  }

  private void put(RowView cell, boolean wantsValue) {
    int whole = RowFormat.CELL_COUNTER | RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION;
    boolean expired = cell.cellIsExpiring() && cell.cellSeconds() <= expiredBefore;
    if ((cell.cellFlags() & whole) != 0 || wantsValue && !expired) {
      encoder.cell(cell);
    } else {
      encoder.withoutValue(cell);
    }
  }
}
