package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a block. The current key is decoded into a buffer, because entries
 * share prefixes; the value stays in the block. One thread; reusable.
 */
final class BlockWalker {
  private static final int AHEAD_LIMIT = 2;

  private final ByteWriter key = new ByteWriter(256);
  private final BlockHeader blockHeader = new BlockHeader();
  private @Nullable OmittedTokens tokens;
  private MemorySegment segment = MemorySegment.NULL;
  private long start;
  private long restartsAt;
  private int restartCount;
  private boolean omitsTokens;

  private int restart;
  private long entryAt;
  private long nextAt;
  private long nextRestartAt;
  private int shared;
  private int unshared;
  private long unsharedAt;
  private int prefixLength;
  private long valueOffset;
  private int valueLength;
  // of a search: the entry before the current one, the prefix shared with the target, and whether
  // the key buffer does not contain the current key
  private long previousAt;
  private int matched;
  private boolean keyMissing;

  /** Opens the contents of a block; not at an entry yet. */
  void open(MemorySegment contents, long offset, int length) {
    segment = contents;
    start = offset;
    long end = offset + length;
    restartCount = Bytes.getInt(contents, end - 4);
    restartsAt = end - 4 - 4L * restartCount;
    keyMissing = false;
    long at = blockHeader.read(contents, offset);
    omitsTokens = blockHeader.omitsTokens();
    nextAt = at;
    if (restartCount < 1 || restartsAt < at) {
      throw new IllegalArgumentException("invalid number of restarts: " + restartCount);
    }
  }

  private long restartOffset(int index) {
    return start + Bytes.getInt(segment, restartsAt + 4L * index);
  }

  /**
   * Reads the lengths of the entry at an offset. For an entry that shares nothing with the one
   * before it, {@code prefixLength} must be 0.
   */
  private void readHeader(long offset) {
    entryAt = offset;
    // a block ends with eight bytes or more that are not entries
    int header = Bytes.getInt(segment, offset);
    int headerShared = header >>> 24;
    if ((header & 0x80808000) != 0 || headerShared == 0 || headerShared < prefixLength) {
      readLongHeader(offset);
      return;
    }
    shared = headerShared;
    unshared = header >>> 16 & 0x7F;
    unsharedAt = offset + 3;
    valueOffset = unsharedAt + unshared;
    valueLength = header >>> 8 & 0x7F;
    nextAt = valueOffset + valueLength;
  }

  /** Reads a header with a prefix length or with a length of more than a byte. */
  private void readLongHeader(long offset) {
    long at = offset;
    int b = Bytes.getByte(segment, at++);
    shared = b;
    if (b < 0) {
      shared = (int) Bytes.getVarint(segment, at - 1);
      at = Bytes.varintEnd(segment, at - 1);
    }
    b = Bytes.getByte(segment, at++);
    unshared = b;
    if (b < 0) {
      unshared = (int) Bytes.getVarint(segment, at - 1);
      at = Bytes.varintEnd(segment, at - 1);
    }
    if (shared == 0 || shared < prefixLength) {
      prefixLength = (int) Bytes.getVarint(segment, at);
      at = Bytes.varintEnd(segment, at);
    }
    b = Bytes.getByte(segment, at++);
    valueLength = b;
    if (b < 0) {
      valueLength = (int) Bytes.getVarint(segment, at - 1);
      at = Bytes.varintEnd(segment, at - 1);
    }
    if ((shared | unshared | valueLength) < 0) {
      throw new IllegalArgumentException("an entry with a length of more than 2 GiB");
    }
    unsharedAt = at;
    valueOffset = at + unshared;
    nextAt = valueOffset + valueLength;
  }

  /** Decodes the entry at an offset; the key buffer must contain the key of the preceding entry. */
  private void decode(long offset) {
    readHeader(offset);
    if (omitsTokens && key.size() > 0) {
      int term = (int) Bytes.getVarint(segment, valueOffset);
      if (shared <= term) {
        putWithToken(shared, term, unsharedAt, unshared);
        return;
      }
    }
    key.truncate(shared);
    putUnshared();
  }

  private void putUnshared() {
    if (unshared <= Long.BYTES) {
      key.putFirstBytes(Bytes.getLong(segment, unsharedAt), unshared);
    } else {
      key.putBytes(segment, unsharedAt, unshared);
    }
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

  private void enterRestart(int index) {
    restart = index;
    nextRestartAt = index + 1 < restartCount ? restartOffset(index + 1) : restartsAt;
    prefixLength = 0;
  }

  private void decodeRestart(int index) {
    enterRestart(index);
    keyMissing = false;
    key.clear();
    decode(restartOffset(index));
  }

  /** Decodes the key of the current entry, which a search has left out. */
  private void decodeKey() {
    if (keyMissing) {
      long at = entryAt;
      decodeRestart(restart);
      while (entryAt < at) {
        decode(nextAt);
      }
    }
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
      decodeKey();
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
    int from = lastRestartBefore(target, offset, length);
    if (omitsTokens) {
      decodeRestart(from);
      boolean more = true;
      while (more && Bytes.compare(key.segment(), 0, key.size(), target, offset, length) < 0) {
        more = next();
      }
      return more;
    }
    keyMissing = true;
    if (!search(from, target, offset, length)) {
      decodeKey();
      return false;
    }
    // the entry shares with the one before it only what that one shares with the target
    keyMissing = false;
    key.clear().putBytes(target, offset, shared);
    putUnshared();
    return true;
  }

  /**
   * Moves to the last entry at or before a key, whose key is decoded when it is needed; false if
   * there is none. Not for blocks that leave out tokens, nor for those with prefix lengths.
   */
  boolean seekFloor(MemorySegment target, long offset, int length) {
    keyMissing = true;
    if (!search(lastRestartBefore(target, offset, length), target, offset, length)
        || isFound(length)) {
      return true;
    }
    if (previousAt < 0) {
      return false;
    }
    if (entryAt == restartOffset(restart)) {
      enterRestart(restart - 1);
    }
    readHeader(previousAt);
    return true;
  }

  /** The last restart whose key is less than a key, or the first one. */
  private int lastRestartBefore(MemorySegment target, long offset, int length) {
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
    return low;
  }

  /**
   * Moves from a restart to the first entry at or after a key, or to the last one and returns
   * false. Keys are compared where they are instead of being decoded: of the bytes that an entry
   * shares with the one before it, it is known whether they are those of the target.
   */
  private boolean search(int from, MemorySegment target, long offset, int length) {
    enterRestart(from);
    previousAt = -1;
    matched = 0;
    readHeader(restartOffset(from));
    while (true) {
      // matched: the prefix that the target shares with the previous entry, which is smaller
      if (shared < matched) {
        matched = shared;
        return true;
      }
      if (shared == matched) {
        int same =
            (int)
                Bytes.commonPrefix(
                    segment, unsharedAt, unshared, target, offset + matched, length - matched);
        matched += same;
        boolean less =
            matched < length
                && (same == unshared
                    || Bytes.getUnsignedByte(segment, unsharedAt + same)
                        < Bytes.getUnsignedByte(target, offset + matched));
        if (!less) {
          return true;
        }
      }
      if (nextAt >= restartsAt) {
        return false;
      }
      previousAt = entryAt;
      if (nextAt == nextRestartAt) {
        matched = 0;
        enterRestart(restart + 1);
      }
      readHeader(nextAt);
    }
  }

  /** Whether the entry at which a search has ended has the key of the target. */
  private boolean isFound(int length) {
    return matched == length && shared + unshared == length;
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
    long at = restartOffset(index);
    int header = Bytes.getInt(segment, at);
    if ((header & 0x80808080) == 0) {
      return Bytes.compare(segment, at + 4, header >>> 16, target, offset, length);
    }
    int bytes = (int) Bytes.getVarint(segment, at + 1);
    at = Bytes.varintEnd(segment, at + 1);
    at = Bytes.varintEnd(segment, at);
    at = Bytes.varintEnd(segment, at);
    return Bytes.compare(segment, at, bytes, target, offset, length);
  }

  /** Whether the current key, which no search has left out, is the slice. */
  boolean isAt(MemorySegment target, long offset, int length) {
    return Bytes.equal(key.segment(), 0, key.size(), target, offset, length);
  }

  /** The order of the current key, which no search has left out, and another. */
  int compareKey(MemorySegment target, long offset, int length) {
    return Bytes.compare(key.segment(), 0, key.size(), target, offset, length);
  }

  /** What the block says of all entries. */
  BlockHeader header() {
    return blockHeader;
  }

  MemorySegment keySegment() {
    decodeKey();
    return key.segment();
  }

  int keyLength() {
    decodeKey();
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
}
