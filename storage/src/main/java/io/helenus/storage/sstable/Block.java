package io.helenus.storage.sstable;

import java.lang.foreign.MemorySegment;

/**
 * A block's contents in memory: checked, decompressed, {@link #length} bytes from {@link #offset}.
 * Belongs to a {@link BlockSource}, which counts who uses it.
 */
public class Block {
  private final MemorySegment segment;
  private final long offset;
  private final int capacity;
  private int length;

  /** Room for contents of up to so many bytes. */
  public Block(MemorySegment segment, long offset, int capacity) {
    this.segment = segment;
    this.offset = offset;
    this.capacity = capacity;
  }

  /** The memory. */
  public final MemorySegment segment() {
    return segment;
  }

  /** Where the contents start. */
  public final long offset() {
    return offset;
  }

  /** How many bytes there is room for. */
  public final int capacity() {
    return capacity;
  }

  /** The length of the contents in bytes. */
  public final int length() {
    return length;
  }

  /** Says how long the contents are. */
  public final void setLength(int newLength) {
    if (newLength < 0 || newLength > capacity) {
      throw new IndexOutOfBoundsException(newLength);
    }
    length = newLength;
  }
}
