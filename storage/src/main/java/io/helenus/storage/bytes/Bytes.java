package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads, compares and copies slices (segment, offset, length). Stateless; any thread. All numbers
 * are big endian. Offsets out of range raise {@link IndexOutOfBoundsException}.
 */
public final class Bytes {
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  /** The byte at an offset. */
  public static byte getByte(MemorySegment segment, long offset) {
    return segment.get(ValueLayout.JAVA_BYTE, offset);
  }

  /** The byte at an offset, 0 to 255. */
  public static int getUnsignedByte(MemorySegment segment, long offset) {
    return segment.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
  }

  /** Two bytes at an offset, signed. */
  public static short getShort(MemorySegment segment, long offset) {
    return segment.get(SHORT, offset);
  }

  /** Two bytes at an offset, 0 to 65,535. */
  public static int getUnsignedShort(MemorySegment segment, long offset) {
    return segment.get(SHORT, offset) & 0xFFFF;
  }

  /** Four bytes at an offset. */
  public static int getInt(MemorySegment segment, long offset) {
    return segment.get(INT, offset);
  }

  /** Eight bytes at an offset. */
  public static long getLong(MemorySegment segment, long offset) {
    return segment.get(LONG, offset);
  }

  /** Writes one byte. */
  public static void setByte(MemorySegment segment, long offset, byte value) {
    segment.set(ValueLayout.JAVA_BYTE, offset, value);
  }

  /** Writes four bytes. */
  public static void setInt(MemorySegment segment, long offset, int value) {
    segment.set(INT, offset, value);
  }

  /** Writes eight bytes. */
  public static void setLong(MemorySegment segment, long offset, long value) {
    segment.set(LONG, offset, value);
  }

  /** The unsigned varint at an offset; it ends at {@link #varintEnd}. */
  public static long getVarint(MemorySegment segment, long offset) {
    long at = offset;
    long b = segment.get(ValueLayout.JAVA_BYTE, at++);
    long value = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      if (shift > 63) {
        throw new IllegalArgumentException("varint longer than 10 bytes at offset " + offset);
      }
      b = segment.get(ValueLayout.JAVA_BYTE, at++);
      value |= (b & 0x7F) << shift;
    }
    return value;
  }

  /** The offset after the varint at an offset. */
  public static long varintEnd(MemorySegment segment, long offset) {
    long at = offset;
    while (segment.get(ValueLayout.JAVA_BYTE, at++) < 0) {
      // the high bit marks continuation
    }
    return at;
  }

  /** Writes a number that is not negative as a varint and returns the offset after it. */
  public static int setVarint(MemorySegment segment, int offset, int value) {
    int at = offset;
    int rest = value;
    while (rest > 0x7F) {
      segment.set(ValueLayout.JAVA_BYTE, at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    segment.set(ValueLayout.JAVA_BYTE, at++, (byte) rest);
    return at;
  }

  /** The length of a number as a varint. */
  public static int varintBytes(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  /** A slice as a new array. Not for the hot path. */
  public static byte[] toArray(MemorySegment segment, long offset, long length) {
    byte[] bytes = new byte[Math.toIntExact(length)];
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, bytes.length);
    return bytes;
  }

  /** Unsigned lexicographic order; a proper prefix is smaller. */
  public static int compare(
      MemorySegment a, long aOffset, long aLength, MemorySegment b, long bOffset, long bLength) {
    long common = Math.min(aLength, bLength);
    long i = 0;
    for (; i + 8 <= common; i += 8) {
      long x = a.get(LONG, aOffset + i);
      long y = b.get(LONG, bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
    }
    if (common >= 8) {
      // the last eight bytes, overlapping bytes already found equal
      long x = a.get(LONG, aOffset + common - 8);
      long y = b.get(LONG, bOffset + common - 8);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
      return Long.compare(aLength, bLength);
    }
    if (common >= 4) {
      int x = a.get(INT, aOffset);
      int y = b.get(INT, bOffset);
      if (x == y) {
        // the last four bytes, overlapping bytes already found equal
        x = a.get(INT, aOffset + common - 4);
        y = b.get(INT, bOffset + common - 4);
      }
      return x != y ? Integer.compareUnsigned(x, y) : Long.compare(aLength, bLength);
    }
    for (; i < common; i++) {
      int x = a.get(ValueLayout.JAVA_BYTE, aOffset + i) & 0xFF;
      int y = b.get(ValueLayout.JAVA_BYTE, bOffset + i) & 0xFF;
      if (x != y) {
        return x - y;
      }
    }
    return Long.compare(aLength, bLength);
  }

  /** Whether two slices hold the same bytes. */
  public static boolean equal(
      MemorySegment a, long aOffset, long aLength, MemorySegment b, long bOffset, long bLength) {
    return aLength == bLength && compare(a, aOffset, aLength, b, bOffset, bLength) == 0;
  }

  /** The number of leading bytes that two slices share. */
  public static long commonPrefix(
      MemorySegment a, long aOffset, long aLength, MemorySegment b, long bOffset, long bLength) {
    long common = Math.min(aLength, bLength);
    long i = 0;
    for (; i + 8 <= common; i += 8) {
      long difference = a.get(LONG, aOffset + i) ^ b.get(LONG, bOffset + i);
      if (difference != 0) {
        return i + Long.numberOfLeadingZeros(difference) / 8;
      }
    }
    if (common >= 8) {
      long difference = a.get(LONG, aOffset + common - 8) ^ b.get(LONG, bOffset + common - 8);
      return difference == 0 ? common : common - 8 + Long.numberOfLeadingZeros(difference) / 8;
    }
    while (i < common
        && a.get(ValueLayout.JAVA_BYTE, aOffset + i) == b.get(ValueLayout.JAVA_BYTE, bOffset + i)) {
      i++;
    }
    return i;
  }
}
