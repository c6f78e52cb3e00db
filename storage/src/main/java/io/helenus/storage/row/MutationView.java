package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over an encoded mutation, or several that follow one another (storage/docs/rows.md):
 * wrap them, then move from table to table with {@link #nextTable}. Token, epoch and key prefix are
 * those of the current table's mutation, at first of the first one. Malformed bytes raise {@link
 * IllegalArgumentException}. Holds no copy. One thread at a time.
 */
public final class MutationView {
  private static final int SMALLEST_BYTES = 11;

  private MemorySegment segment = MemorySegment.NULL;
  private long start;
  private long end;
  private long mutationOffset;
  private long token;
  private long epoch;
  private long prefixOffset;
  private int prefixLength;
  private long next;
  private int tablesLeft;
  private int tableId;
  private long entriesOffset;
  private int entriesLength;

  /** Wraps the mutations in a slice and moves before the first table. */
  public MutationView wrap(MemorySegment mutations, long offset, long length) {
    segment = mutations;
    start = offset;
    end = offset + length;
    return rewind();
  }

  /** Moves before the first table again. */
  public MutationView rewind() {
    begin(start);
    return this;
  }

  private void begin(long offset) {
    check(end - offset >= SMALLEST_BYTES);
    mutationOffset = offset;
    token = Bytes.getLong(segment, offset);
    long at = offset + 8;
    epoch = Bytes.getVarint(segment, at);
    at = Bytes.varintEnd(segment, at);
    prefixLength = length(at);
    prefixOffset = Bytes.varintEnd(segment, at);
    at = prefixOffset + prefixLength;
    check(at < end);
    tablesLeft = (int) Bytes.getVarint(segment, at);
    next = Bytes.varintEnd(segment, at);
    check(next <= end && tablesLeft >= 0);
  }

  /** Moves to the next table, of the same mutation or the next one; false after the last. */
  public boolean nextTable() {
    while (tablesLeft == 0) {
      if (next == end) {
        return false;
      }
      begin(next);
    }
    tablesLeft--;
    check(next < end);
    tableId = (int) Bytes.getVarint(segment, next);
    long at = Bytes.varintEnd(segment, next);
    check(at + 4 <= end);
    entriesLength = Bytes.getInt(segment, at);
    entriesOffset = at + 4;
    next = entriesOffset + entriesLength;
    check(entriesLength >= 0 && next <= end);
    return true;
  }

  /** Appends a mutation of the same partition with the current table only. */
  public void copyTable(ByteWriter out) {
    out.putLong(token).putVarint(epoch).putVarint(prefixLength);
    out.putBytes(segment, prefixOffset, prefixLength).putVarint(1);
    out.putVarint(tableId).putInt(entriesLength);
    out.putBytes(segment, entriesOffset, entriesLength);
  }

  private int length(long at) {
    long value = Bytes.getVarint(segment, at);
    check(value >= 0 && value <= end - at);
    return (int) value;
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("malformed mutation");
    }
  }

  /** The memory that all offsets refer to. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where the current table's mutation starts. */
  public long mutationOffset() {
    return mutationOffset;
  }

  /** The token, which determines the shard. */
  public long token() {
    return token;
  }

  /** The metadata epoch under which the mutation was planned. */
  public long epoch() {
    return epoch;
  }

  /** Where the key prefix of the partition starts. */
  public long prefixOffset() {
    return prefixOffset;
  }

  /** The length of the key prefix in bytes. */
  public int prefixLength() {
    return prefixLength;
  }

  /** The current table. */
  public int tableId() {
    return tableId;
  }

  /** Where the current table's entries start. */
  public long entriesOffset() {
    return entriesOffset;
  }

  /** The length of the current table's entries in bytes. */
  public int entriesLength() {
    return entriesLength;
  }
}
