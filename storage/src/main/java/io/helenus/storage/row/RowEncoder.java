package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Appends one row to a {@link ByteWriter}: {@link #begin}, the cells in their order, {@link #end}.
 * One thread at a time; reusable.
 */
final class RowEncoder {
  private ByteWriter out = new ByteWriter(16);
  private int start;
  private boolean hasBase;
  private long base;
  private boolean rowExpiring;
  private int rowTtl;
  private long rowExpiry;
  private boolean empty;

  /**
   * Starts a row with neither liveness nor deletion; cells of this ttl and expiry (0: none) are
   * written short.
   */
  void begin(ByteWriter target, int ttl, long expirySeconds) {
    out = target;
    start = target.size();
    hasBase = false;
    rowExpiring = ttl != 0;
    rowTtl = ttl;
    rowExpiry = expirySeconds;
    empty = true;
    out.putByte(rowExpiring ? RowFormat.ROW_EXPIRING : 0).putLong(0);
    if (rowExpiring) {
      out.putInt(ttl).putInt((int) expirySeconds);
    }
  }

  /** The row's liveness; with the ttl given to begin. */
  void liveness(long timestamp) {
    base(timestamp);
    addFlag(RowFormat.ROW_LIVENESS);
    empty = false;
  }

  /** The row's deletion; before the first cell. */
  void deletion(long timestamp, long seconds) {
    addFlag(RowFormat.ROW_DELETION);
    out.putLong(timestamp).putInt((int) seconds);
    empty = false;
  }

  /** The cell that a view stands on. */
  void cell(RowView view) {
    int flags =
        view.cellFlags()
            & (RowFormat.CELL_TOMBSTONE
                | RowFormat.CELL_PATH
                | RowFormat.CELL_COLUMN_DELETION
                | RowFormat.CELL_COUNTER
                | RowFormat.CELL_KEY_SPELLING);
    header(view, flags, view.cellTimestamp(), view.cellIsExpiring());
    if ((flags & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) != 0) {
      out.putInt((int) view.cellSeconds());
    }
    path(view);
    if (view.valueLength() >= 0) {
      out.putVarint(view.valueLength());
      out.putBytes(view.segment(), view.valueOffset(), view.valueLength());
    }
  }

  /** The expired cell that a view stands on, without its value. */
  void expired(RowView view) {
    int kept = RowFormat.CELL_PATH | RowFormat.CELL_KEY_SPELLING;
    header(view, view.cellFlags() & kept, view.cellTimestamp(), true);
    path(view);
    out.putVarint(0);
  }

  /** The cell that a view stands on, with another timestamp and value: merged counter shares. */
  void counter(RowView view, long timestamp, MemorySegment value, long offset, int length) {
    int flags = view.cellFlags() & RowFormat.CELL_PATH | RowFormat.CELL_COUNTER;
    header(view, flags, timestamp, false);
    path(view);
    out.putVarint(length).putBytes(value, offset, length);
  }

  private void header(RowView view, int kept, long timestamp, boolean expiring) {
    base(timestamp);
    empty = false;
    int flags = kept;
    if (timestamp != base) {
      flags |= RowFormat.CELL_OWN_TIMESTAMP;
    }
    boolean own = false;
    if (expiring) {
      own = !rowExpiring || view.cellTtl() != rowTtl || view.cellSeconds() != rowExpiry;
      flags |= own ? RowFormat.CELL_EXPIRING : RowFormat.CELL_ROW_EXPIRY;
    }
    out.putVarint(view.column()).putByte(flags);
    if (timestamp != base) {
      out.putLong(timestamp);
    }
    if (own) {
      out.putInt(view.cellTtl()).putInt((int) view.cellSeconds());
    }
  }

  private void path(RowView view) {
    if (view.pathLength() >= 0) {
      out.putVarint(view.pathLength());
      out.putBytes(view.segment(), view.pathOffset(), view.pathLength());
    }
  }

  private void base(long timestamp) {
    if (!hasBase) {
      hasBase = true;
      base = timestamp;
      out.setLong(start + 1, timestamp);
    }
  }

  private void addFlag(int flag) {
    out.setByte(start, Bytes.getByte(out.segment(), start) | flag);
  }

  /** Ends the row. False, and nothing appended, when the row says nothing at all. */
  boolean end() {
    if (empty) {
      out.truncate(start);
    }
    return !empty;
  }
}
