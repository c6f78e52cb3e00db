package io.helenus.storage.bytes;

import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.SegmentSource;
import io.helenus.storage.memory.ShareExhaustedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A growable buffer of native memory: a key, a row, a mutation, the body of a response. Meant to be
 * reused: {@link #clear} discards the contents and keeps the memory. One thread at a time. Numbers
 * are big endian. Growing replaces {@link #segment}, so a slice of it is valid only until the next
 * write.
 */
public final class ByteWriter {
  /**
   * The maximum size of a writer. Exceeding it is a bug: callers limit what they write, including
   * hostile input.
   */
  public static final int SIZE_LIMIT_BYTES = 1 << 30;

  private static final byte RELEASED = (byte) 0xDD;

  private final @Nullable SegmentSource recycled;
  private MemorySegment segment;

  /** The segment before a large one, to return to when that is released. */
  private @Nullable MemorySegment small;

  private int size;

  /** A writer with an initial capacity in bytes. */
  public ByteWriter(int capacityBytes) {
    this(capacityBytes, null);
  }

  private ByteWriter(int capacityBytes, @Nullable SegmentSource recycled) {
    this.recycled = recycled;
    segment = allocate(Math.max(16, capacityBytes));
  }

  /**
   * A writer for contents that may be large: it takes segments of {@link
   * LargeSegments#SMALLEST_BYTES} and more from a source and gives them back when it grows and in
   * {@link #clear(int)}, so that slices of earlier contents must not be read after that. It keeps
   * its largest small segment for contents to come. If the source refuses memory, the writer is
   * unchanged.
   */
  public static ByteWriter recycling(SegmentSource kept, int capacityBytes) {
    return new ByteWriter(capacityBytes, kept);
  }

  private MemorySegment allocate(long bytes) {
    if (bytes <= SmallSegments.LARGEST_BYTES) {
      return SmallSegments.allocate(bytes);
    }
    if (recycled != null && bytes >= LargeSegments.SMALLEST_BYTES) {
      return recycled.take(bytes);
    }
    return Arena.ofAuto().allocate(bytes, 8);
  }

  private void replace(MemorySegment replacement) {
    MemorySegment replaced = segment;
    segment = replacement;
    recycle(replaced);
  }

  private void recycle(MemorySegment replaced) {
    if (recycled == null) {
      return;
    }
    assert overwritten(replaced);
    if (isLarge(replaced)) {
      recycled.giveBack(replaced);
    } else if (isLarge(segment)) {
      small = replaced;
    }
  }

  private static boolean isLarge(MemorySegment segment) {
    return segment.byteSize() >= LargeSegments.SMALLEST_BYTES;
  }

  /** In tests: what still reads a segment that was released, or might have been, gets this. */
  private static boolean overwritten(MemorySegment replaced) {
    replaced.fill(RELEASED);
    return true;
  }

  /** A writer that takes its memory from the same source as this one. */
  public ByteWriter sibling(int capacityBytes) {
    return new ByteWriter(capacityBytes, recycled);
  }

  /** The memory; its bytes 0 to {@link #size} are the contents. Replaced when the writer grows. */
  public MemorySegment segment() {
    return segment;
  }

  /** The number of bytes written. */
  public int size() {
    return size;
  }

  /** The number of bytes that fit without growing. */
  public int capacity() {
    return (int) segment.byteSize();
  }

  /** Discards the contents and keeps the memory. */
  public ByteWriter clear() {
    size = 0;
    return this;
  }

  /**
   * Discards the contents, and the memory too if it has grown beyond a limit. Never fails: if there
   * is no native memory for a smaller segment, the large one is kept.
   */
  public ByteWriter clear(int keepAtMostBytes) {
    size = 0;
    if (segment.byteSize() > keepAtMostBytes) {
      MemorySegment former = small;
      small = null;
      if (former != null && former.byteSize() <= keepAtMostBytes) {
        replace(former);
        return this;
      }
      try {
        replace(allocate(keepAtMostBytes));
      } catch (OutOfMemoryError | ShareExhaustedException exhausted) {
        return this;
      }
    }
    return this;
  }

  /** Discards the contents and the memory; the writer is not used any more. */
  public void release() {
    clear(0);
  }

  /**
   * Hands over the memory with the contents, which the caller releases to the source of this
   * writer. The writer is empty then.
   */
  public MemorySegment detach() {
    MemorySegment detached = segment;
    MemorySegment former = small;
    segment = former != null ? former : allocate(0);
    small = null;
    size = 0;
    return detached;
  }

  /** Grows, if necessary, so that at least this many bytes can be appended without growing. */
  public void makeRoom(int bytes) {
    ensure(bytes);
  }

  /** Truncates the contents to a smaller size. */
  public ByteWriter truncate(int newSize) {
    if (newSize < 0 || newSize > size) {
      throw new IndexOutOfBoundsException(newSize);
    }
    size = newSize;
    return this;
  }

  /** Appends a number of uninitialised bytes and returns the offset at which they start. */
  public int reserve(int bytes) {
    int at = size;
    ensure(bytes);
    size += bytes;
    return at;
  }

  /** Appends one byte. */
  public ByteWriter putByte(int value) {
    ensure(1);
    segment.set(ValueLayout.JAVA_BYTE, size, (byte) value);
    size += 1;
    return this;
  }

  /** Appends two bytes. */
  public ByteWriter putShort(int value) {
    ensure(2);
    segment.set(Bytes.SHORT, size, (short) value);
    size += 2;
    return this;
  }

  /** Appends four bytes. */
  public ByteWriter putInt(int value) {
    ensure(4);
    segment.set(Bytes.INT, size, value);
    size += 4;
    return this;
  }

  /** Appends eight bytes. */
  public ByteWriter putLong(long value) {
    ensure(8);
    segment.set(Bytes.LONG, size, value);
    size += 8;
    return this;
  }

  /** Appends the length of a number of four bytes, and the number. */
  public ByteWriter putLengthAndInt(int value) {
    return putLong((long) Integer.BYTES << Integer.SIZE | value & 0xFFFF_FFFFL);
  }

  /** Appends the length of a number of eight bytes, in four, and the number. */
  public ByteWriter putLengthAndLong(long value) {
    ensure(Integer.BYTES + Long.BYTES);
    segment.set(Bytes.INT, size, Long.BYTES);
    segment.set(Bytes.LONG, size + (long) Integer.BYTES, value);
    size += Integer.BYTES + Long.BYTES;
    return this;
  }

  /** Appends the first of the eight bytes of a number. */
  public ByteWriter putFirstBytes(long value, int bytes) {
    ensure(8);
    segment.set(Bytes.LONG, size, value);
    size += bytes;
    return this;
  }

  /** Appends a slice. */
  public ByteWriter putBytes(MemorySegment source, long offset, long length) {
    int bytes = (int) length;
    if (bytes < 0 || segment.byteSize() - size < bytes) {
      return growFor(source, offset, bytes);
    }
    MemorySegment.copy(source, offset, segment, size, bytes);
    size += bytes;
    return this;
  }

  /** Grows and appends; the source may be the segment that is replaced. */
  private ByteWriter growFor(MemorySegment source, long offset, int bytes) {
    if (bytes < 0) {
      throw new IndexOutOfBoundsException(bytes);
    }
    MemorySegment replaced = segment;
    segment = larger((long) size + bytes);
    MemorySegment.copy(source, offset, segment, size, bytes);
    size += bytes;
    recycle(replaced);
    return this;
  }

  /** Appends an array. */
  public ByteWriter putBytes(byte[] source) {
    return putBytes(source, 0, source.length);
  }

  /** Appends part of an array. */
  public ByteWriter putBytes(byte[] source, int offset, int length) {
    ensure(length);
    MemorySegment.copy(source, offset, segment, ValueLayout.JAVA_BYTE, size, length);
    size += length;
    return this;
  }

  /**
   * Appends an unsigned LEB128 varint: 7 bits per byte, lowest first, high bit set on all but the
   * last; 1 to 10 bytes.
   */
  public ByteWriter putVarint(long value) {
    ensure(10);
    long rest = value;
    int at = size;
    while ((rest & ~0x7FL) != 0) {
      segment.set(ValueLayout.JAVA_BYTE, at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    segment.set(ValueLayout.JAVA_BYTE, at++, (byte) rest);
    size = at;
    return this;
  }

  /** Overwrites one byte of the contents. */
  public ByteWriter setByte(int at, int value) {
    segment.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    return this;
  }

  /** Overwrites two bytes of the contents. */
  public ByteWriter setShort(int at, int value) {
    segment.set(Bytes.SHORT, at, (short) value);
    return this;
  }

  /** Overwrites four bytes of the contents. */
  public ByteWriter setInt(int at, int value) {
    segment.set(Bytes.INT, at, value);
    return this;
  }

  /** Overwrites eight bytes of the contents. */
  public ByteWriter setLong(int at, long value) {
    segment.set(Bytes.LONG, at, value);
    return this;
  }

  /** The contents as a new array. Not for the hot path. */
  public byte[] toArray() {
    return Bytes.toArray(segment, 0, size);
  }

  private void ensure(int more) {
    if (more < 0) {
      throw new IndexOutOfBoundsException(more);
    }
    if (segment.byteSize() - size < more) {
      grow((long) size + more);
    }
  }

  private void grow(long needed) {
    replace(larger(needed));
  }

  /** A larger segment with the contents. */
  private MemorySegment larger(long needed) {
    if (needed > SIZE_LIMIT_BYTES) {
      throw new IllegalStateException(
          "buffer of " + needed + " bytes exceeds the limit of " + SIZE_LIMIT_BYTES);
    }
    MemorySegment larger =
        allocate(Math.min(SIZE_LIMIT_BYTES, Math.max(needed, 2 * segment.byteSize())));
    MemorySegment.copy(segment, 0, larger, 0, size);
    return larger;
  }
}
