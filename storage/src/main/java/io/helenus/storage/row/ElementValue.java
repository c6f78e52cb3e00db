package io.helenus.storage.row;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The value of a live element. Most elements are plain values, neither deleted nor expiring: the
 * newest of their versions is found at a fraction of the cost of decoding and merging rows with one
 * cell. Others are taken from the merged cell. Copies nothing: valid as long as the underlying
 * memory. One thread at a time; reusable.
 */
public final class ElementValue {
  /** A row's flags and base timestamp. */
  private static final int ROW_HEADER_BYTES = 9;

  /** {@link #expirySeconds} of an element without a TTL. */
  public static final long NEVER = -1;

  private MemorySegment segment = MemorySegment.NULL;
  private long timestamp;
  private long expirySeconds = NEVER;
  private long valueOffset;
  private int valueLength;

  /**
   * Takes the first version of an element, the value of its entry ({@link ElementView}); false if
   * it is not a plain value.
   */
  public boolean take(MemorySegment entry, long offset, int length) {
    // most often one byte each: the length of what follows the row's key, the row's flags
    int first = Bytes.getUnsignedShort(entry, offset);
    long row = first < 0x8000 ? offset + 1 : Bytes.varintEnd(entry, offset);
    if ((first & 0x80FF) != 0 && Bytes.getByte(entry, row) != 0) {
      return false;
    }
    // the last byte of the timestamp, then most often one byte each: column, flags, length
    int header = Bytes.getInt(entry, row + ROW_HEADER_BYTES - 1);
    if ((header & 0x0080_FF80) == 0) {
      segment = entry;
      timestamp = Bytes.getLong(entry, row + 1);
      expirySeconds = NEVER;
      valueOffset = row + ROW_HEADER_BYTES + 3;
      valueLength = header & 0x7F;
      return valueOffset + valueLength == offset + length;
    }
    long flags = Bytes.varintEnd(entry, row + ROW_HEADER_BYTES);
    if (Bytes.getByte(entry, flags) != 0) {
      return false;
    }
    int bytes = Bytes.getByte(entry, flags + 1);
    long at = flags + 2;
    if (bytes < 0) {
      bytes = (int) Bytes.getVarint(entry, flags + 1);
      at = Bytes.varintEnd(entry, flags + 1);
    }
    segment = entry;
    timestamp = Bytes.getLong(entry, row + 1);
    expirySeconds = NEVER;
    valueOffset = at;
    valueLength = bytes;
    return at + bytes == offset + length;
  }

  /**
   * Takes another version if it is newer; false if it is not a plain value or as old as the one
   * taken, so that the timestamps do not decide.
   */
  public boolean takeNewer(MemorySegment entry, long offset, int length) {
    long row = Bytes.varintEnd(entry, offset);
    long flags = Bytes.varintEnd(entry, row + ROW_HEADER_BYTES);
    if (Bytes.getByte(entry, row) != 0 || Bytes.getByte(entry, flags) != 0) {
      return false;
    }
    long otherTimestamp = Bytes.getLong(entry, row + 1);
    if (otherTimestamp == timestamp) {
      return false;
    }
    return otherTimestamp < timestamp || take(entry, offset, length);
  }

  /** Takes the current cell of a view, which is live. */
  public ElementValue takeCell(RowView cell) {
    segment = cell.segment();
    timestamp = cell.cellTimestamp();
    expirySeconds = cell.cellIsExpiring() ? cell.cellSeconds() : NEVER;
    valueOffset = cell.valueOffset();
    valueLength = cell.valueLength();
    return this;
  }

  /** When the element expires, in seconds since 1970, or {@link #NEVER}. */
  public long expirySeconds() {
    return expirySeconds;
  }

  /** When the element was written, in microseconds. */
  public long timestamp() {
    return timestamp;
  }

  /** The memory that the value lies in. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where the value starts. */
  public long valueOffset() {
    return valueOffset;
  }

  /** The length of the value in bytes. */
  public int valueLength() {
    return valueLength;
  }
}
