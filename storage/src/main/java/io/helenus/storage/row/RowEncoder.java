package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Appends one row to a {@link ByteWriter}: {@link #begin}, the cells in order, {@link #end}. One
 * thread at a time; reusable.
 */
final class RowEncoder {
  /** The most bytes before and between path and value: three varints, flags and a timestamp. */
  private static final int PLAIN_HEADER_BYTES = 3 * 5 + 1 + Long.BYTES;

  private ByteWriter out = new ByteWriter(16);
  private int start;
  private boolean hasBase;
  private long base;
  private boolean rowExpiring;
  private int rowTtl;
  private long rowExpiry;
  private boolean empty;

  /**
   * Starts a row without liveness and deletion. Cells with this TTL and expiry (0: none) refer to
   * the row's.
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

  /** Sets the row's liveness, with the TTL given to begin. */
  void liveness(long timestamp) {
    base(timestamp);
    addFlag(RowFormat.ROW_LIVENESS);
    empty = false;
  }

  /** Sets the row's deletion. Before the first cell. */
  void deletion(long timestamp, long seconds) {
    addFlag(RowFormat.ROW_DELETION);
    out.putLong(timestamp).putInt((int) seconds);
    empty = false;
  }

  /** Copies the current cell of a view. */
  void cell(RowView view) {
    cell(view, view.column());
  }

  /** Copies the current cell of a view as one of another column. */
  void cell(RowView view, int column) {
    int flags = view.cellFlags();
    cell(view, column, flags, view.segment(), view.pathOffset(), view.pathLength());
  }

  /** Copies the current cell of a view without its path. */
  void withoutPath(RowView view) {
    cell(view, view.column(), view.cellFlags() & ~RowFormat.CELL_PATH, view.segment(), 0, -1);
  }

  /** Copies the current cell of a view, which has no path, with a path. */
  void withPath(RowView view, MemorySegment path, long pathOffset, int pathLength) {
    int flags = view.cellFlags() | RowFormat.CELL_PATH;
    cell(view, view.column(), flags, path, pathOffset, pathLength);
  }

  private void cell(
      RowView view,
      int column,
      int cellFlags,
      MemorySegment path,
      long pathOffset,
      int pathLength) {
    int flags =
        cellFlags
            & (RowFormat.CELL_TOMBSTONE
                | RowFormat.CELL_PATH
                | RowFormat.CELL_COLUMN_DELETION
                | RowFormat.CELL_COUNTER
                | RowFormat.CELL_KEY_FORM);
    header(view, column, flags, view.cellTimestamp(), view.cellIsExpiring());
    if ((flags & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) != 0) {
      out.putInt((int) view.cellSeconds());
    }
    if (pathLength >= 0) {
      out.putVarint(pathLength).putBytes(path, pathOffset, pathLength);
    }
    if (view.valueLength() >= 0) {
      out.putVarint(view.valueLength());
      out.putBytes(view.segment(), view.valueOffset(), view.valueLength());
    }
  }

  /** Appends an element that is a plain value; makes room once for all of it. */
  void plainElement(ElementView element, ElementValue value) {
    long timestamp = value.timestamp();
    base(timestamp);
    empty = false;
    boolean own = timestamp != base;
    int pathLength = element.pathLength();
    int valueLength = value.valueLength();
    int at = out.reserve(PLAIN_HEADER_BYTES + pathLength + valueLength);
    MemorySegment target = out.segment();
    at = Bytes.setVarint(target, at, element.column());
    Bytes.setByte(
        target,
        at++,
        (byte) (own ? RowFormat.CELL_PATH | RowFormat.CELL_OWN_TIMESTAMP : RowFormat.CELL_PATH));
    if (own) {
      Bytes.setLong(target, at, timestamp);
      at += Long.BYTES;
    }
    at = Bytes.setVarint(target, at, pathLength);
    MemorySegment.copy(element.pathSegment(), element.pathOffset(), target, at, pathLength);
    at = Bytes.setVarint(target, at + pathLength, valueLength);
    if (valueLength > 0) {
      MemorySegment.copy(value.segment(), value.valueOffset(), target, at, valueLength);
    }
    out.truncate(at + valueLength);
  }

  /** Copies the current cell of a view, which has a value, without it. */
  void withoutValue(RowView view) {
    int kept = RowFormat.CELL_PATH | RowFormat.CELL_KEY_FORM;
    header(
        view, view.column(), view.cellFlags() & kept, view.cellTimestamp(), view.cellIsExpiring());
    path(view);
    out.putVarint(0);
  }

  /** Copies the current cell of a view with another timestamp and value: merged counter shares. */
  void counter(RowView view, long timestamp, MemorySegment value, long offset, int length) {
    int flags = view.cellFlags() & RowFormat.CELL_PATH | RowFormat.CELL_COUNTER;
    header(view, view.column(), flags, timestamp, false);
    path(view);
    out.putVarint(length).putBytes(value, offset, length);
  }

  private void header(RowView view, int column, int kept, long timestamp, boolean expiring) {
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
    out.putVarint(column).putByte(flags);
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

  /** Ends the row. Returns false and appends nothing if the row is empty. */
  boolean end() {
    if (empty) {
      out.truncate(start);
    }
    return !empty;
  }
}
