package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;

/**
 * Writes a data reply in this order: {@link #begin}; for each partition {@link #partition} and what
 * is in it, in the order of the read; {@link #end} or {@link #endAt}. It turns changes of the range
 * deletion in force into bounds, of which there is one for each key and none without a change. One
 * thread at a time; reusable.
 */
public final class ReplyWriter {
  private final ByteWriter boundKey = new ByteWriter(128);
  private ByteWriter out = boundKey;
  private int start;
  private boolean reversed;
  private boolean inPartition;
  // the range deletion in force before and after the bound that has not been written yet
  private boolean pending;
  private long beforeTimestamp;
  private long beforeSeconds;
  private long timestamp;
  private long seconds;

  /** Starts a reply at the end of a writer. */
  public void begin(ByteWriter target, boolean descending) {
    out = target;
    start = target.size();
    reversed = descending;
    inPartition = false;
    pending = false;
    timestamp = RowFormat.NO_TIMESTAMP;
    seconds = 0;
    out.putByte(ReplyFormat.VERSION);
  }

  /** The number of bytes written. */
  public int size() {
    return out.size() - start;
  }

  /** Starts a partition, with its deletion unless the timestamp is none. */
  public void partition(
      MemorySegment prefix, long offset, int length, long deleted, long deletedSeconds) {
    endPartition();
    inPartition = true;
    putBytes(prefix, offset, length);
    if (deleted == RowFormat.NO_TIMESTAMP) {
      out.putByte(0);
    } else {
      out.putByte(ReplyFormat.PARTITION_DELETED).putLong(deleted).putInt((int) deletedSeconds);
    }
  }

  private void endPartition() {
    flush();
    if (inPartition) {
      out.putByte(ReplyFormat.END);
      inPartition = false;
    }
  }

  private void putBytes(MemorySegment source, long offset, int length) {
    out.putVarint(length).putBytes(source, offset, length);
  }

  /**
   * Sets the range deletion in force from the bound with a key suffix on; none by its timestamp.
   */
  public void range(
      MemorySegment suffix, long offset, int length, long newTimestamp, long newSeconds) {
    if (!pending || !isPending(suffix, offset, length)) {
      flush();
      pending = true;
      beforeTimestamp = timestamp;
      beforeSeconds = seconds;
      boundKey.clear().putBytes(suffix, offset, length);
    }
    timestamp = newTimestamp;
    seconds = newSeconds;
  }

  private boolean isPending(MemorySegment suffix, long offset, int length) {
    return Bytes.equal(boundKey.segment(), 0, boundKey.size(), suffix, offset, length);
  }

  private void flush() {
    if (!pending) {
      return;
    }
    pending = false;
    if (beforeTimestamp == timestamp && beforeSeconds == seconds) {
      return;
    }
    out.putByte(ReplyFormat.BOUND);
    putBytes(boundKey.segment(), 0, boundKey.size());
    boundKey.clear();
    if (reversed) {
      BoundView.write(timestamp, seconds, beforeTimestamp, beforeSeconds, boundKey);
    } else {
      BoundView.write(beforeTimestamp, beforeSeconds, timestamp, seconds, boundKey);
    }
    putBytes(boundKey.segment(), 0, boundKey.size());
  }

  /** Starts a row, with its entry unless that is empty. */
  public void row(
      MemorySegment suffix,
      long offset,
      int length,
      MemorySegment value,
      long valueOffset,
      int valueLength) {
    flush();
    out.putByte(ReplyFormat.ROW);
    putBytes(suffix, offset, length);
    putBytes(value, valueOffset, valueLength);
  }

  /** Adds an element of the row. */
  public void element(
      MemorySegment segment, long tailOffset, int tailLength, long valueOffset, int valueLength) {
    out.putByte(ReplyFormat.ELEMENT);
    putBytes(segment, tailOffset, tailLength);
    putBytes(segment, valueOffset, valueLength);
  }

  /** Says that the rest of the partition, from a bound on, is not sent; no range is deleted. */
  public void gap(MemorySegment suffix, long offset, int length) {
    flush();
    out.putByte(ReplyFormat.GAP);
    putBytes(suffix, offset, length);
  }

  /** Ends the reply, which is complete to the end of the request. */
  public void end() {
    endPartition();
    out.putByte(ReplyFormat.END).putByte(ReplyFormat.END);
  }

  /** Ends the reply at a position, which is the key of a bound; no range is deleted. */
  public void endAt(
      MemorySegment prefix, int prefixLength, MemorySegment suffix, long offset, int length) {
    endPartition();
    out.putByte(ReplyFormat.END).putByte(ReplyFormat.POSITION);
    putBytes(prefix, 0, prefixLength);
    putBytes(suffix, offset, length);
  }
}
