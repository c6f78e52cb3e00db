package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over the value of a range tombstone bound (storage/docs/rows.md): the deletion that
 * it closes and the one that it opens, {@link RowFormat#NO_TIMESTAMP} for none. One thread at a
 * time.
 */
public final class BoundView {
  /** The maximum length of a bound's value. */
  public static final int LIMIT_BYTES = 25;

  private long closedTimestamp;
  private long closedSeconds;
  private long openedTimestamp;
  private long openedSeconds;

  /** Decodes the bound at an offset. */
  public BoundView wrap(MemorySegment segment, long offset) {
    int flags = Bytes.getByte(segment, offset);
    long at = offset + 1;
    closedTimestamp = RowFormat.NO_TIMESTAMP;
    closedSeconds = 0;
    openedTimestamp = RowFormat.NO_TIMESTAMP;
    openedSeconds = 0;
    if ((flags & RowFormat.BOUND_CLOSES) != 0) {
      closedTimestamp = Bytes.getLong(segment, at);
      closedSeconds = Bytes.getInt(segment, at + 8) & 0xFFFFFFFFL;
      at += 12;
    }
    if ((flags & RowFormat.BOUND_OPENS) != 0) {
      openedTimestamp = Bytes.getLong(segment, at);
      openedSeconds = Bytes.getInt(segment, at + 8) & 0xFFFFFFFFL;
    }
    return this;
  }

  /** Appends the value of a bound. */
  public static void write(
      long closedTimestamp,
      long closedSeconds,
      long openedTimestamp,
      long openedSeconds,
      ByteWriter out) {
    boolean closes = closedTimestamp != RowFormat.NO_TIMESTAMP;
    boolean opens = openedTimestamp != RowFormat.NO_TIMESTAMP;
    out.putByte((closes ? RowFormat.BOUND_CLOSES : 0) | (opens ? RowFormat.BOUND_OPENS : 0));
    if (closes) {
      out.putLong(closedTimestamp).putInt((int) closedSeconds);
    }
    if (opens) {
      out.putLong(openedTimestamp).putInt((int) openedSeconds);
    }
  }

  /** The timestamp of the deletion that ends here. */
  public long closedTimestamp() {
    return closedTimestamp;
  }

  /** When the deletion that ends here was made, in seconds since 1970. */
  public long closedSeconds() {
    return closedSeconds;
  }

  /** The timestamp of the deletion that begins here. */
  public long openedTimestamp() {
    return openedTimestamp;
  }

  /** When the deletion that begins here was made, in seconds since 1970. */
  public long openedSeconds() {
    return openedSeconds;
  }
}
