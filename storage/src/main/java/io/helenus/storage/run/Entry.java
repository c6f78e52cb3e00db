package io.helenus.storage.run;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * An entry of a sorted run as two slices: its key, whose first {@link #prefixLength} bytes identify
 * the partition, and its value (storage/docs/rows.md). Valid until its owner moves. One thread at a
 * time.
 */
public abstract class Entry {
  /** Kind: a partition deletion. */
  public static final int PARTITION_DELETION = 0;

  /** Kind: a static row. */
  public static final int STATIC_ROW = 1;

  /** Kind: a row. */
  public static final int ROW = 2;

  /** Kind: a range tombstone bound. */
  public static final int BOUND = 3;

  /** Kind: an element of a row or static row: {@link io.helenus.storage.row.ElementView}. */
  public static final int ELEMENT = 4;

  protected MemorySegment keySegment = MemorySegment.NULL;
  protected long keyOffset;
  protected int keyLength;
  protected int prefixLength;
  protected MemorySegment valueSegment = MemorySegment.NULL;
  protected long valueOffset;
  protected int valueLength;

  /** The memory that contains the key. */
  public final MemorySegment keySegment() {
    return keySegment;
  }

  /** Where the key starts. */
  public final long keyOffset() {
    return keyOffset;
  }

  /** The length of the key in bytes. */
  public final int keyLength() {
    return keyLength;
  }

  /** The length of the key prefix that identifies the partition. */
  public final int prefixLength() {
    return prefixLength;
  }

  /** The memory that contains the value. */
  public final MemorySegment valueSegment() {
    return valueSegment;
  }

  /** Where the value starts. */
  public final long valueOffset() {
    return valueOffset;
  }

  /** The length of the value in bytes. */
  public final int valueLength() {
    return valueLength;
  }

  /** Compares the key with a slice, byte by byte, unsigned. */
  public final int compareKey(MemorySegment segment, long offset, int length) {
    return Bytes.compare(keySegment, keyOffset, keyLength, segment, offset, length);
  }

  /**
   * The same for keys that are known to start with the same bytes.
   *
   * @param skip the number of these bytes
   */
  public final int compareKey(int skip, MemorySegment segment, long offset, int length) {
    return Bytes.compare(
        keySegment, keyOffset + skip, keyLength - skip, segment, offset + skip, length - skip);
  }

  /** Whether the entry belongs to the partition with a key prefix; false for an empty prefix. */
  public final boolean isInPartition(ByteWriter prefix) {
    int length = prefix.size();
    return length > 0
        && length == prefixLength
        && Bytes.equal(prefix.segment(), 0, length, keySegment, keyOffset, length);
  }

  /** The kind of the entry: one of the five constants. */
  public final int kind() {
    int section = Bytes.getByte(keySegment, keyOffset + prefixLength);
    if (section != KeyFormat.SECTION_ROWS) {
      return keyLength == prefixLength + 1 ? section : ELEMENT;
    }
    int tag = Bytes.getByte(keySegment, keyOffset + keyLength - 1);
    if (tag == KeyFormat.TAG_END) {
      return ROW;
    }
    return tag == KeyFormat.TAG_ELEMENT ? ELEMENT : BOUND;
  }

  /** Whether the key is that of an element of the row with a key. */
  public final boolean isElementOf(ByteWriter rowKey) {
    int length = rowKey.size();
    return keyLength > length
        && Bytes.equal(rowKey.segment(), 0, length, keySegment, keyOffset, length);
  }

  /** Wraps a view around the element. */
  public final ElementView view(ElementView element) {
    return element.wrap(keySegment, keyOffset, keyLength, valueSegment, valueOffset);
  }
}
