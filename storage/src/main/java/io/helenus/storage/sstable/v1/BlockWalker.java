package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a block. The current key is decoded into a buffer, because entries
 * share prefixes; the value stays in the block. One thread; reusable.
 */
final class BlockWalker {
  private static final int AHEAD_LIMIT = 2;

  private final ByteWriter key = new ByteWriter(256);
  private final BoundView bound = new BoundView();
  private @Nullable OmittedTokens tokens;
  private MemorySegment segment = MemorySegment.NULL;
  private long start;
  private long restartsAt;
  private int restartCount;
  private int flags;
  private long partitionTimestamp;
  private long partitionSeconds;
  private long rangeTimestamp;
  private long rangeSeconds;

  private int restart;
  private long entryAt;
  private long nextAt;
  private long nextRestartAt;
  private int shared;
  private int prefixLength;
  private long valueOffset;
  private int valueLength;
  private long openTimestamp;
  private long openSeconds;

  /** Opens the contents of a block; not at an entry yet. */
  void open(MemorySegment contents, long offset, int length) {
    segment = contents;
    start = offset;
    long end = offset + length;
    restartCount = Bytes.getInt(contents, end - 4);
    restartsAt = end - 4 - 4L * restartCount;
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
    nextAt = at;
    if (restartCount < 1 || restartsAt < at) {
      throw new IllegalArgumentException("invalid number of restarts: " + restartCount);
    }
  }

  private long restartOffset(int index) {
    return start + Bytes.getInt(segment, restartsAt + 4L * index);
  }

  /** Decodes the entry at an offset; the key buffer must contain the key of the preceding entry. */
  private void decode(long offset) {
    entryAt = offset;
    // a block ends with eight bytes or more that are not entries
    int header = Bytes.getInt(segment, offset);
    int headerShared = header >>> 24;
    if ((header & 0x80808000) != 0 || headerShared == 0 || headerShared < prefixLength) {
      decodeLong(offset);
      return;
    }
    int unshared = header >>> 16 & 0x7F;
    long at = offset + 3;
    shared = headerShared;
    key.truncate(shared);
    if (unshared <= Long.BYTES) {
      key.putFirstBytes(Bytes.getLong(segment, at), unshared);
    } else {
      key.putBytes(segment, at, unshared);
    }
    valueOffset = at + unshared;
    valueLength = header >>> 8 & 0x7F;
    nextAt = valueOffset + valueLength;
  }

  /** Decodes an entry with a prefix length or with a length of more than a byte. */
  private void decodeLong(long offset) {
    long at = offset;
    int b = Bytes.getByte(segment, at++);
    int newShared = b;
    if (b < 0) {
      newShared = (int) Bytes.getVarint(segment, at - 1);
      at = Bytes.varintEnd(segment, at - 1);
    }
    b = Bytes.getByte(segment, at++);
    int unshared = b;
    if (b < 0) {
      unshared = (int) Bytes.getVarint(segment, at - 1);
      at = Bytes.varintEnd(segment, at - 1);
    }
    if (newShared == 0 || newShared < prefixLength) {
      prefixLength = (int) Bytes.getVarint(segment, at);
      at = Bytes.varintEnd(segment, at);
    }
    b = Bytes.getByte(segment, at++);
    int length = b;
    if (b < 0) {
      length = (int) Bytes.getVarint(segment, at - 1);
      at = Bytes.varintEnd(segment, at - 1);
    }
    valueOffset = at + unshared;
    valueLength = length;
    nextAt = valueOffset + length;
    if ((flags & Layout.BLOCK_TOKENS_OMITTED) != 0 && key.size() > 0) {
      int term = (int) Bytes.getVarint(segment, valueOffset);
      if (newShared <= term) {
        putWithToken(newShared, term, at, unshared);
        return;
      }
    }
    shared = newShared;
    key.truncate(newShared).putBytes(segment, at, unshared);
  }

  /** Replaces the end of the key by one whose token, after the term, has been left out. */
  private void putWithToken(int kept, int term, long at, int unshared) {
    long before = kept == term ? Bytes.getLong(key.segment(), term) : 0;
    int rest = term - kept;
    key.truncate(kept).putBytes(segment, at, rest);
    key.putLong(0).putBytes(segment, at + rest, unshared - rest);
    OmittedTokens omitted = tokens;
    if (omitted == null) {
      omitted = new OmittedTokens();
      tokens = omitted;
    }
    long token = omitted.compute(key.segment(), term, prefixLength - term);
    key.setLong(term, token);
    shared = kept < term ? kept : term + Long.numberOfLeadingZeros(before ^ token) / Byte.SIZE;
  }

  private void decodeRestart(int index) {
    restart = index;
    nextRestartAt = index + 1 < restartCount ? restartOffset(index + 1) : restartsAt;
    key.clear();
    prefixLength = 0;
    decode(restartOffset(index));
  }

  /** Moves to the first entry; a block has at least one. */
  void first() {
    decodeRestart(0);
  }

  /** Moves to the last entry. */
  void last() {
    decodeRestart(restartCount - 1);
    while (nextAt < restartsAt) {
      decode(nextAt);
    }
  }

  /** Moves to the next entry; at the last one returns false and stays. */
  boolean next() {
    if (nextAt >= restartsAt) {
      return false;
    }
    if (nextAt == nextRestartAt) {
      decodeRestart(restart + 1);
    } else {
      decode(nextAt);
    }
    return true;
  }

  /** Moves to the previous entry; at the first one returns false and stays. */
  boolean previous() {
    long before = entryAt;
    if (before == restartOffset(restart)) {
      if (restart == 0) {
        return false;
      }
      decodeRestart(restart - 1);
    } else {
      decodeRestart(restart);
    }
    while (nextAt < before) {
      decode(nextAt);
    }
    return true;
  }

  /**
   * Moves to the first entry at or after a key; if there is none, moves to the last entry and
   * returns false.
   */
  boolean seek(MemorySegment target, long offset, int length) {
    int low = 0;
    int high = restartCount - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (compareRestart(middle, target, offset, length) < 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    decodeRestart(low);
    return walkTo(target, offset, length);
  }

  /**
   * Moves forward to the first entry at or after a key if that is one of the next few entries of
   * the block. Otherwise returns false; the current entry is then the same or a later one before
   * the key.
   */
  boolean seekAhead(MemorySegment target, long offset, int length) {
    for (int i = 0; i <= AHEAD_LIMIT; i++) {
      if (Bytes.compare(key.segment(), 0, key.size(), target, offset, length) >= 0) {
        return i > 0;
      }
      if (i == AHEAD_LIMIT || !next()) {
        return false;
      }
    }
    return false;
  }

  private int compareRestart(int index, MemorySegment target, long offset, int length) {
    long at = restartOffset(index) + 1;
    int unshared = (int) Bytes.getVarint(segment, at);
    at = Bytes.varintEnd(segment, at);
    at = Bytes.varintEnd(segment, at);
    at = Bytes.varintEnd(segment, at);
    return Bytes.compare(segment, at, unshared, target, offset, length);
  }

  private boolean walkTo(MemorySegment target, long offset, int length) {
    int matched = 0;
    while (true) {
      // matched: the prefix that the target shares with the previous entry, which is smaller
      if (shared < matched) {
        return true;
      }
      if (shared == matched || entryAt == restartOffset(restart)) {
        MemorySegment bytes = key.segment();
        int size = key.size();
        int from = Math.min(matched, shared);
        int same =
            from
                + (int)
                    Bytes.commonPrefix(
                        bytes, from, size - from, target, offset + from, length - from);
        boolean less =
            same < length
                && (same == size
                    || Bytes.getUnsignedByte(bytes, same)
                        < Bytes.getUnsignedByte(target, offset + same));
        if (!less) {
          return true;
        }
        matched = same;
      }
      if (!next()) {
        return false;
      }
      if (entryAt == restartOffset(restart)) {
        matched = 0;
      }
    }
  }

  /**
   * Seeks as {@link #seek} does and finds the range deletion in force there, in the partition
   * identified by the first {@code prefix} bytes of the target: {@link #openTimestamp}.
   */
  boolean seekWithBounds(MemorySegment target, long offset, int length, int prefix) {
    openTimestamp = RowFormat.NO_TIMESTAMP;
    if ((flags & (Layout.BLOCK_BOUNDS | Layout.BLOCK_RANGE_DELETION)) == 0) {
      return seek(target, offset, length);
    }
    first();
    openTimestamp = rangeTimestamp;
    openSeconds = rangeSeconds;
    boolean samePartition = isIn(target, offset, prefix);
    if (!samePartition) {
      openTimestamp = RowFormat.NO_TIMESTAMP;
    }
    while (Bytes.compare(key.segment(), 0, key.size(), target, offset, length) < 0) {
      if (isIn(target, offset, prefix) && isBound()) {
        bound.wrap(segment, valueOffset);
        openTimestamp = bound.openedTimestamp();
        openSeconds = bound.openedSeconds();
      }
      if (!next()) {
        return false;
      }
    }
    return true;
  }

  private boolean isIn(MemorySegment target, long offset, int prefix) {
    return prefixLength == prefix && Bytes.equal(key.segment(), 0, prefix, target, offset, prefix);
  }

  private boolean isBound() {
    int tag = Bytes.getByte(key.segment(), key.size() - 1);
    return tag != KeyFormat.TAG_END
        && tag != KeyFormat.TAG_ELEMENT
        && Bytes.getByte(key.segment(), prefixLength) == KeyFormat.SECTION_ROWS;
  }

  /** Moves to the last entry at or before a key; false if there is none. */
  boolean seekFloor(MemorySegment target, long offset, int length) {
    if (!seek(target, offset, length)) {
      return true;
    }
    return Bytes.equal(key.segment(), 0, key.size(), target, offset, length) || previous();
  }

  /** Whether the current key is the slice. */
  boolean isAt(MemorySegment target, long offset, int length) {
    return Bytes.equal(key.segment(), 0, key.size(), target, offset, length);
  }

  MemorySegment keySegment() {
    return key.segment();
  }

  int keyLength() {
    return key.size();
  }

  /** The number of bytes that the current key shares with the key before it in the block. */
  int shared() {
    return shared;
  }

  int prefixLength() {
    return prefixLength;
  }

  MemorySegment segment() {
    return segment;
  }

  long valueOffset() {
    return valueOffset;
  }

  int valueLength() {
    return valueLength;
  }

  /** The deletion of the first entry's partition, if that started in an earlier block. */
  long partitionTimestamp() {
    return partitionTimestamp;
  }

  long partitionSeconds() {
    return partitionSeconds;
  }

  /**
   * After {@link #seekWithBounds}: the timestamp of the range deletion in force, or {@link
   * RowFormat#NO_TIMESTAMP}.
   */
  long openTimestamp() {
    return openTimestamp;
  }

  long openSeconds() {
    return openSeconds;
  }

  /** Whether the first entry of the block is in the partition that the slice names. */
  boolean startsIn(MemorySegment prefix, long offset, int length) {
    first();
    return isIn(prefix, offset, length);
  }
}
