package io.helenus.storage.row;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over an encoded row (storage/docs/rows.md): wrap it, read the header, then iterate
 * over the cells with {@link #nextCell}. Copies nothing: valid as long as the underlying memory.
 * One thread at a time. Timestamps are microseconds; expiries are unsigned 32-bit seconds, returned
 * as long; TTLs are seconds.
 */
public final class RowView {
  private MemorySegment segment = MemorySegment.NULL;
  private long start;
  private long end;
  private long position;
  private int flags;
  private long timestamp;
  private int ttl;
  private long expirySeconds;
  private long deletionTimestamp;
  private long deletionSeconds;
  private long firstCell;

  private int column;
  private int cellFlags;
  private long cellTimestamp;
  private int cellTtl;
  private long cellSeconds;
  private long pathOffset;
  private int pathLength;
  private long valueOffset;
  private int valueLength;

  /** Wraps the row in a slice and moves before its first cell. */
  public RowView wrap(MemorySegment rowSegment, long offset, long length) {
    segment = rowSegment;
    start = offset;
    end = offset + length;
    flags = Bytes.getUnsignedByte(segment, offset);
    timestamp = Bytes.getLong(segment, offset + 1);
    long at = offset + 9;
    ttl = 0;
    expirySeconds = 0;
    deletionTimestamp = RowFormat.NO_TIMESTAMP;
    deletionSeconds = 0;
    if ((flags & RowFormat.ROW_EXPIRING) != 0) {
      ttl = Bytes.getInt(segment, at);
      expirySeconds = Bytes.getInt(segment, at + 4) & 0xFFFFFFFFL;
      at += 8;
    }
    if ((flags & RowFormat.ROW_DELETION) != 0) {
      deletionTimestamp = Bytes.getLong(segment, at);
      deletionSeconds = Bytes.getInt(segment, at + 8) & 0xFFFFFFFFL;
      at += 12;
    }
    firstCell = at;
    position = at;
    return this;
  }

  /** The memory that the row lies in. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where the row starts in {@link #segment}. */
  public long offset() {
    return start;
  }

  /** The length of the encoded row in bytes. */
  public int length() {
    return (int) (end - start);
  }

  /** Whether the row was inserted, so that it exists even without cells. */
  public boolean hasLiveness() {
    return (flags & RowFormat.ROW_LIVENESS) != 0;
  }

  /** The same of an encoded row in a slice. */
  public static boolean hasLiveness(MemorySegment segment, long offset) {
    return (Bytes.getByte(segment, offset) & RowFormat.ROW_LIVENESS) != 0;
  }

  /** The base timestamp; if there is a liveness, its timestamp. */
  public long timestamp() {
    return timestamp;
  }

  /** Whether the row has a TTL and an expiry. */
  public boolean isExpiring() {
    return (flags & RowFormat.ROW_EXPIRING) != 0;
  }

  /** The row's TTL in seconds, 0 for none. */
  public int ttl() {
    return ttl;
  }

  /** When the row expires, in seconds since 1970; 0 for never. */
  public long expirySeconds() {
    return expirySeconds;
  }

  /** Whether the row carries a row deletion. */
  public boolean hasDeletion() {
    return (flags & RowFormat.ROW_DELETION) != 0;
  }

  /** The timestamp of the row deletion, or {@link RowFormat#NO_TIMESTAMP}. */
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  /** When the row was deleted, in seconds since 1970. */
  public long deletionSeconds() {
    return deletionSeconds;
  }

  /** Whether the liveness exists and has not expired. */
  public boolean isLive(long nowSeconds) {
    return (flags & RowFormat.ROW_LIVENESS) != 0
        && ((flags & RowFormat.ROW_EXPIRING) == 0 || nowSeconds < expirySeconds);
  }

  /** Moves before the first cell again. */
  public RowView rewind() {
    position = firstCell;
    return this;
  }

  /** Moves to the next cell; false after the last. */
  public boolean nextCell() {
    if (position >= end) {
      return false;
    }
    long at = position;
    int b = Bytes.getByte(segment, at++);
    int id = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      b = Bytes.getByte(segment, at++);
      id |= (b & 0x7F) << shift;
    }
    column = id;
    int f = Bytes.getUnsignedByte(segment, at++);
    cellFlags = f;
    if ((f & RowFormat.CELL_OWN_TIMESTAMP) != 0) {
      cellTimestamp = Bytes.getLong(segment, at);
      at += 8;
    } else {
      cellTimestamp = timestamp;
    }
    if ((f & ~(RowFormat.CELL_OWN_TIMESTAMP | RowFormat.CELL_COUNTER)) == 0) {
      cellTtl = 0;
      cellSeconds = 0;
      pathLength = -1;
    } else {
      at = readRareParts(f, at);
    }
    if ((f & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) == 0) {
      b = Bytes.getByte(segment, at++);
      int length = b & 0x7F;
      for (int shift = 7; b < 0; shift += 7) {
        b = Bytes.getByte(segment, at++);
        length |= (b & 0x7F) << shift;
      }
      valueOffset = at;
      valueLength = length;
      at += length;
    } else {
      valueOffset = at;
      valueLength = -1;
    }
    position = at;
    return true;
  }

  /** Where the cell that {@link #nextCell} moves to starts, from the start of the row. */
  int nextCellOffset() {
    return (int) (position - start);
  }

  /** Moves to the cell that starts at such an offset. */
  void moveToCell(int offset) {
    position = start + offset;
    nextCell();
  }

  private long readRareParts(int f, long from) {
    long at = from;
    cellTtl = 0;
    cellSeconds = 0;
    pathLength = -1;
    if ((f & RowFormat.CELL_EXPIRING) != 0) {
      cellTtl = Bytes.getInt(segment, at);
      cellSeconds = Bytes.getInt(segment, at + 4) & 0xFFFFFFFFL;
      at += 8;
    } else if ((f & RowFormat.CELL_ROW_EXPIRY) != 0) {
      cellTtl = ttl;
      cellSeconds = expirySeconds;
    }
    if ((f & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) != 0) {
      cellSeconds = Bytes.getInt(segment, at) & 0xFFFFFFFFL;
      at += 4;
    }
    if ((f & RowFormat.CELL_PATH) != 0) {
      int b = Bytes.getByte(segment, at++);
      int length = b & 0x7F;
      for (int shift = 7; b < 0; shift += 7) {
        b = Bytes.getByte(segment, at++);
        length |= (b & 0x7F) << shift;
      }
      pathOffset = at;
      pathLength = length;
      at += length;
    }
    return at;
  }

  /** The column id of the current cell. */
  public int column() {
    return column;
  }

  /** The flags of the current cell as encoded. */
  public int cellFlags() {
    return cellFlags;
  }

  /** The timestamp of the current cell. */
  public long cellTimestamp() {
    return cellTimestamp;
  }

  /** The TTL of the current cell in seconds, 0 for none. */
  public int cellTtl() {
    return cellTtl;
  }

  /** When the current cell expires, or was deleted if it is a tombstone; 0 for never. */
  public long cellSeconds() {
    return cellSeconds;
  }

  /** Whether the current cell has a TTL. */
  public boolean cellIsExpiring() {
    return (cellFlags & (RowFormat.CELL_EXPIRING | RowFormat.CELL_ROW_EXPIRY)) != 0;
  }

  /** Whether the current cell is a tombstone. */
  public boolean cellIsTombstone() {
    return (cellFlags & RowFormat.CELL_TOMBSTONE) != 0;
  }

  /** Whether the current cell has a live value at a time. */
  public boolean cellIsLive(long nowSeconds) {
    return (cellFlags & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) == 0
        && (!cellIsExpiring() || nowSeconds < cellSeconds);
  }

  /**
   * Whether the current cell makes the row exist at a time: it is live and is not the wire value of
   * a clustering column.
   */
  public boolean cellMakesRowLive(long nowSeconds) {
    return (cellFlags & RowFormat.CELL_KEY_FORM) == 0 && cellIsLive(nowSeconds);
  }

  /** Where the path of the current cell starts. */
  public long pathOffset() {
    return pathOffset;
  }

  /** The length of the current cell's path, -1 for none. */
  public int pathLength() {
    return pathLength;
  }

  /** Where the value of the current cell starts. */
  public long valueOffset() {
    return valueOffset;
  }

  /** The length of the current cell's value, -1 for none. */
  public int valueLength() {
    return valueLength;
  }
}
