package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;

/**
 * What a block says of all its entries, and the deletions that started in an earlier block. One
 * thread; reusable.
 */
final class BlockHeader {
  private int flags;
  private long partitionTimestamp;
  private long partitionSeconds;
  private long rangeTimestamp;
  private long rangeSeconds;

  /** Reads it from the contents of a block; returns where the entries start. */
  long read(MemorySegment contents, long offset) {
    flags = Bytes.getByte(contents, offset);
    long at = offset + 1;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    rangeTimestamp = RowFormat.NO_TIMESTAMP;
    if ((flags & Layout.BLOCK_PARTITION_DELETION) != 0) {
      partitionTimestamp = Bytes.getLong(contents, at);
      partitionSeconds = Bytes.getInt(contents, at + 8) & 0xFFFFFFFFL;
      at += 12;
    }
    if ((flags & Layout.BLOCK_RANGE_DELETION) != 0) {
      rangeTimestamp = Bytes.getLong(contents, at);
      rangeSeconds = Bytes.getInt(contents, at + 8) & 0xFFFFFFFFL;
      at += 12;
    }
    return at;
  }

  /** Whether entries may leave out the token of their key. */
  boolean omitsTokens() {
    return (flags & Layout.BLOCK_TOKENS_OMITTED) != 0;
  }

  /** Whether a deletion of a range may be in force at some entry. */
  boolean mayHaveRangeDeletions() {
    return (flags & (Layout.BLOCK_BOUNDS | Layout.BLOCK_RANGE_DELETION)) != 0;
  }

  /**
   * The deletion of the first entry's partition, if that started in an earlier block; else {@link
   * RowFormat#NO_TIMESTAMP}.
   */
  long partitionTimestamp() {
    return partitionTimestamp;
  }

  long partitionSeconds() {
    return partitionSeconds;
  }

  /** The deletion of a range in force at the first entry, or {@link RowFormat#NO_TIMESTAMP}. */
  long rangeTimestamp() {
    return rangeTimestamp;
  }

  long rangeSeconds() {
    return rangeSeconds;
  }
}
