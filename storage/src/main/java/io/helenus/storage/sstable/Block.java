package io.helenus.storage.sstable;

import java.lang.foreign.MemorySegment;

/**
 * A block's verified and decompressed contents in memory: {@link #length} bytes from {@link
 * #offset}. Owned by a {@link BlockSource}, which counts its users.
 */
public class Block {
  private MemorySegment segment;
  private final long offset;
  private final int capacity;
  private int length;

  /** A block with room for up to {@code capacity} bytes. */
  public Block(MemorySegment segment, long offset, int capacity) {
    this.segment = segment;
    this.offset = offset;
    this.capacity = capacity;
  }

  /** Sets the memory of a block that was created before it had any. */
  protected final void supply(MemorySegment memory) {
    segment = memory;
  }

  /** The memory. */
  public final MemorySegment segment() {
    return segment;
  }

  /** Where the contents start. */
  public final long offset() {
    return offset;
  }

  /** The maximum length in bytes. */
  public final int capacity() {
    return capacity;
  }

  /** The length of the contents in bytes. */
  public final int length() {
    return length;
  }

  /** Sets the length of the contents. */
  public final void setLength(int newLength) {
    if (newLength < 0 || newLength > capacity) {
      throw new IndexOutOfBoundsException(newLength);
    }
    length = newLength;
  }
}
