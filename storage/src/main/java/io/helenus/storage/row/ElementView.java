package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over an element in a memtable or SSTable: one cell of a multi-cell column as an entry
 * of its own (storage/docs/rows.md, "Elements"). The key is the key of the row, the column id as
 * u32, the path, {@link KeyFormat#TAG_ELEMENT}. The value is the length of what follows the row's
 * key, as a varint, then a row with the one cell, without its path. Holds no copy. One thread at a
 * time.
 */
public final class ElementView {
  /** The length of the column id that follows the row's key. */
  public static final int COLUMN_BYTES = Integer.BYTES;

  /** The length of the tag at the end of a key. */
  public static final int CLOSING_BYTES = 1;

  private int rowKeyLength;
  private int column;
  private MemorySegment keySegment = MemorySegment.NULL;
  private long pathOffset;
  private int pathLength;
  private long rowOffset;

  /** Wraps an element. */
  public ElementView wrap(
      MemorySegment key, long keyOffset, int keyLength, MemorySegment value, long valueOffset) {
    int suffixLength = (int) Bytes.getVarint(value, valueOffset);
    rowOffset = Bytes.varintEnd(value, valueOffset);
    rowKeyLength = keyLength - suffixLength;
    pathLength = suffixLength - COLUMN_BYTES - CLOSING_BYTES;
    if (rowKeyLength <= 0 || pathLength <= 0) {
      throw new IllegalArgumentException("invalid length of an element's key: " + suffixLength);
    }
    keySegment = key;
    column = Bytes.getInt(key, keyOffset + rowKeyLength);
    pathOffset = keyOffset + rowKeyLength + COLUMN_BYTES;
    return this;
  }

  /** Moves on to another element of the same column of the same row. */
  public ElementView moveTo(MemorySegment key, long keyOffset, int keyLength) {
    int length = keyLength - rowKeyLength - COLUMN_BYTES - CLOSING_BYTES;
    if (length <= 0) {
      throw new IllegalArgumentException("invalid length of an element's key: " + keyLength);
    }
    keySegment = key;
    pathOffset = keyOffset + rowKeyLength + COLUMN_BYTES;
    pathLength = length;
    return this;
  }

  /** Appends column and path to the key of a row, which makes it the key of an element. */
  public static void putKey(
      ByteWriter rowKey, int column, MemorySegment path, long pathOffset, int pathLength) {
    rowKey.putInt(column).putBytes(path, pathOffset, pathLength).putByte(KeyFormat.TAG_ELEMENT);
  }

  /** The number of bytes that follow the row's key in the key of an element. */
  static int suffixLength(int pathLength) {
    return COLUMN_BYTES + pathLength + CLOSING_BYTES;
  }

  /** The length of the row's key, with which the element's key starts. */
  public int rowKeyLength() {
    return rowKeyLength;
  }

  /** The id of the multi-cell column. */
  public int column() {
    return column;
  }

  /** The memory that the path lies in. */
  public MemorySegment pathSegment() {
    return keySegment;
  }

  /** Where the path starts. */
  public long pathOffset() {
    return pathOffset;
  }

  /** The length of the path in bytes. */
  public int pathLength() {
    return pathLength;
  }

  /**
   * Where the row with the one cell starts in the value's memory; it extends to its end. Not after
   * {@link #moveTo}.
   */
  public long rowOffset() {
    return rowOffset;
  }
}
