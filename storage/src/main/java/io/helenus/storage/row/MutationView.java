package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over an encoded mutation (storage/docs/rows.md): wrap it, then move from table to
 * table with {@link #nextTable}. Malformed bytes raise {@link IllegalArgumentException}. Holds no
 * copy. One thread at a time.
 */
public final class MutationView {
  private MemorySegment segment = MemorySegment.NULL;
  private long end;
  private long token;
  private long epoch;
  private long prefixOffset;
  private int prefixLength;
  private long firstTable;
  private long next;
  private int tablesLeft;
  private int tableCount;
  private int tableId;
  private long entriesOffset;
  private int entriesLength;

  /** Wraps the mutation in a slice and moves before its first table. */
  public MutationView wrap(MemorySegment mutation, long offset, long length) {
    segment = mutation;
    end = offset + length;
    check(length >= 11);
    token = Bytes.getLong(mutation, offset);
    long at = offset + 8;
    epoch = Bytes.getVarint(mutation, at);
    at = Bytes.varintEnd(mutation, at);
    prefixLength = length(at);
    prefixOffset = Bytes.varintEnd(mutation, at);
    at = prefixOffset + prefixLength;
    check(at < end);
    tableCount = (int) Bytes.getVarint(mutation, at);
    firstTable = Bytes.varintEnd(mutation, at);
    check(firstTable <= end && tableCount >= 0);
    return rewind();
  }

  /** Moves before the first table again. */
  public MutationView rewind() {
    next = firstTable;
    tablesLeft = tableCount;
    return this;
  }

  /** Moves to the next table; false after the last. */
  public boolean nextTable() {
    if (tablesLeft == 0) {
      check(next == end);
      return false;
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

  /** Starts a mutation of the same partition with some of the tables; {@link #copyTable} each. */
  public void beginCopy(int tables, ByteWriter out) {
    out.putLong(token).putVarint(epoch).putVarint(prefixLength);
    out.putBytes(segment, prefixOffset, prefixLength).putVarint(tables);
  }

  /** Appends the current table. */
  public void copyTable(ByteWriter out) {
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
