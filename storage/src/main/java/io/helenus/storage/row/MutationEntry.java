package io.helenus.storage.row;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over one entry of a mutation (storage/docs/rows.md). Which accessors apply depends on
 * {@link #kind}. Malformed bytes raise IllegalArgumentException or IndexOutOfBoundsException. Holds
 * no copy. One thread at a time.
 */
public final class MutationEntry {
  private int kind;
  private long suffixOffset;
  private int suffixLength;
  private long valueOffset;
  private int valueLength;
  private long endSuffixOffset;
  private int endSuffixLength;

  /** Reads the entry at an offset; returns the offset of the next one. */
  public long wrap(MemorySegment segment, long offset) {
    kind = Bytes.getByte(segment, offset);
    return switch (kind) {
      case RowFormat.ENTRY_ROW -> wrapRow(segment, offset + 1);
      case RowFormat.ENTRY_PARTITION_DELETION -> wrapDeletion(offset + 1);
      case RowFormat.ENTRY_RANGE_DELETION -> wrapRange(segment, offset + 1);
      default -> throw new IllegalArgumentException("a mutation entry of unknown kind " + kind);
    };
  }

  private long wrapRow(MemorySegment segment, long from) {
    suffixLength = (int) Bytes.getVarint(segment, from);
    suffixOffset = Bytes.varintEnd(segment, from);
    long at = suffixOffset + suffixLength;
    valueLength = (int) Bytes.getVarint(segment, at);
    valueOffset = Bytes.varintEnd(segment, at);
    return valueOffset + valueLength;
  }

  private long wrapRange(MemorySegment segment, long from) {
    suffixLength = (int) Bytes.getVarint(segment, from);
    suffixOffset = Bytes.varintEnd(segment, from);
    long at = suffixOffset + suffixLength;
    endSuffixLength = (int) Bytes.getVarint(segment, at);
    endSuffixOffset = Bytes.varintEnd(segment, at);
    return wrapDeletion(endSuffixOffset + endSuffixLength);
  }

  private long wrapDeletion(long at) {
    valueOffset = at;
    valueLength = RowFormat.DELETION_BYTES;
    return at + RowFormat.DELETION_BYTES;
  }

  /** The kind of the entry: one of {@code RowFormat.ENTRY_*}. */
  public int kind() {
    return kind;
  }

  /** Where the key suffix of the row, or the start bound of the range, begins. */
  public long suffixOffset() {
    return suffixOffset;
  }

  /** The length of that suffix in bytes. */
  public int suffixLength() {
    return suffixLength;
  }

  /** Where the end bound of a range deletion begins. */
  public long endSuffixOffset() {
    return endSuffixOffset;
  }

  /** The length of the end bound in bytes. */
  public int endSuffixLength() {
    return endSuffixLength;
  }

  /** Where the row begins, or the deletion: timestamp i64, seconds u32. */
  public long valueOffset() {
    return valueOffset;
  }

  /** The length of the row or deletion in bytes. */
  public int valueLength() {
    return valueLength;
  }
}
