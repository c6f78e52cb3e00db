package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes the entries of one block. One thread; reusable. */
final class BlockBuilder {
  private static final int NO_TOKEN = -1;

  private final ByteWriter contents;

  /** For blocks of entries of an index, whose tokens are left out. */
  private final @Nullable OmittedTokens tokens;

  /** The last key added, possibly to an earlier block. */
  private final ByteWriter lastKey = new ByteWriter(256);

  private int[] restarts = new int[64];
  private int restartCount;
  private int entries;
  private int lastPrefix;

  /** Takes memory for large blocks from these segments. */
  BlockBuilder(LargeSegments segments) {
    this(segments, false);
  }

  /** The same, for the entries of an index or for others. */
  BlockBuilder(LargeSegments segments, boolean index) {
    tokens = index ? new OmittedTokens() : null;
    contents = ByteWriter.recycling(segments, 2 * Layout.BLOCK_BYTES);
  }

  /** Releases its memory. */
  void close() {
    contents.clear(0);
  }

  /** Starts a block with the deletions in force at its start (NO_TIMESTAMP: none). */
  void begin(
      long partitionTimestamp, long partitionSeconds, long rangeTimestamp, long rangeSeconds) {
    boolean partition = partitionTimestamp != RowFormat.NO_TIMESTAMP;
    boolean range = rangeTimestamp != RowFormat.NO_TIMESTAMP;
    contents.clear(4 * Layout.BLOCK_BYTES);
    contents.putByte(
        (partition ? Layout.BLOCK_PARTITION_DELETION : 0)
            | (range ? Layout.BLOCK_RANGE_DELETION : 0)
            | (tokens != null ? Layout.BLOCK_TOKENS_OMITTED : 0));
    if (partition) {
      contents.putLong(partitionTimestamp).putInt((int) partitionSeconds);
    }
    if (range) {
      contents.putLong(rangeTimestamp).putInt((int) rangeSeconds);
    }
    restartCount = 0;
    entries = 0;
  }

  boolean isEmpty() {
    return entries == 0;
  }

  /** Whether an entry would make the block exceed its target size. */
  boolean isFullFor(int keyLength, int valueLength) {
    return contents.size() + keyLength + valueLength + 32 + 4 * restartCount > Layout.BLOCK_BYTES;
  }

  /** Marks that the block contains range tombstone bounds. */
  void markBounds() {
    contents.setByte(0, Bytes.getByte(contents.segment(), 0) | Layout.BLOCK_BOUNDS);
  }

  /** The last key added, possibly to an earlier block; empty before the first. */
  ByteWriter lastKey() {
    return lastKey;
  }

  /** The number of bytes with which both a key and the last key start. */
  int sharedWithLast(MemorySegment key, long offset, int length) {
    return (int) Bytes.commonPrefix(lastKey.segment(), 0, lastKey.size(), key, offset, length);
  }

  /**
   * Adds an entry, whose key must be greater than all earlier ones.
   *
   * @param shared the number of bytes that its key {@linkplain #sharedWithLast shares} with the
   *     last one
   */
  void add(
      int shared,
      MemorySegment key,
      long keyOffset,
      int keyLength,
      int prefixLength,
      MemorySegment value,
      long valueOffset,
      int valueLength) {
    boolean restarts = entries % Layout.RESTART_INTERVAL == 0;
    int omitted = shared;
    int tokenAt = NO_TOKEN;
    if (tokens != null && !restarts) {
      int term = (int) Bytes.getVarint(value, valueOffset);
      if (shared < term + KeyFormat.TOKEN_BYTES) {
        restarts = !tokens.isRedundant(key, keyOffset + term, prefixLength - term);
        tokenAt = restarts ? NO_TOKEN : term;
        omitted = Math.min(shared, term);
      }
    }
    if (restarts) {
      addRestart();
      omitted = 0;
    }
    int tokenBytes = tokenAt == NO_TOKEN ? 0 : KeyFormat.TOKEN_BYTES;
    contents.putVarint(omitted).putVarint(keyLength - omitted - tokenBytes);
    if (omitted == 0 || omitted < lastPrefix) {
      contents.putVarint(prefixLength);
    }
    contents.putVarint(valueLength);
    if (tokenAt != NO_TOKEN) {
      contents.putBytes(key, keyOffset + omitted, tokenAt - omitted);
      omitted = tokenAt + tokenBytes;
    }
    contents.putBytes(key, keyOffset + omitted, keyLength - omitted);
    contents.putBytes(value, valueOffset, valueLength);
    lastKey.truncate(shared).putBytes(key, keyOffset + shared, keyLength - shared);
    lastPrefix = prefixLength;
    entries++;
  }

  private void addRestart() {
    if (restartCount == restarts.length) {
      restarts = Arrays.copyOf(restarts, restartCount * 2);
    }
    restarts[restartCount++] = contents.size();
  }

  /** Ends the block; its contents are valid until the next begin. */
  ByteWriter finish() {
    for (int i = 0; i < restartCount; i++) {
      contents.putInt(restarts[i]);
    }
    contents.putInt(restartCount);
    return contents;
  }
}
