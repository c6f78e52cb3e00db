package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Encodes integers of any size in keys: a byte for sign and length, then the shortest two's
 * complement. The first byte is 0x80 + length for a positive number and 0x7F - length for a
 * negative one, because longer positive numbers are greater and longer negative ones smaller. For
 * {@link #LONG_LENGTH} bytes or more it is 0xFF or 0x00, followed by a four-byte length, inverted
 * for negative numbers. Every byte is XORed with the mask (0 or -1, for DESC). Stateless.
 */
final class VarintKey {
  private static final int LONG_LENGTH = 0x7F;

  private VarintKey() {}

  static boolean isMinimal(MemorySegment value, long offset, int length) {
    return length <= 1 || significantStart(value, offset, length) == offset;
  }

  /** Returns the offset at which the shortest two's complement of the number starts. */
  private static long significantStart(MemorySegment value, long offset, int length) {
    long last = offset + length - 1;
    long at = offset;
    while (at < last) {
      int here = Bytes.getByte(value, at);
      int next = Bytes.getByte(value, at + 1);
      boolean redundant = (here == 0 && next >= 0) || (here == -1 && next < 0);
      if (!redundant) {
        break;
      }
      at++;
    }
    return at;
  }

  static void write(MemorySegment value, long offset, int length, long mask, ByteWriter out) {
    long start = significantStart(value, offset, length);
    int bytes = (int) (offset + length - start);
    putHeader(Bytes.getByte(value, start) < 0, bytes, mask, out);
    for (long at = start; at < offset + length; at++) {
      out.putByte(Bytes.getByte(value, at) ^ (int) mask);
    }
  }

  /** Writes a number that fits a long, in the same encoding. */
  static void writeLong(long number, long mask, ByteWriter out) {
    int bits = 65 - Long.numberOfLeadingZeros(number < 0 ? ~number : number);
    int bytes = (bits + 7) / 8;
    putHeader(number < 0, bytes, mask, out);
    for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
      out.putByte((int) ((number >> shift) ^ mask));
    }
  }

  private static void putHeader(boolean negative, int bytes, long mask, ByteWriter out) {
    int flip = (int) mask;
    if (bytes < LONG_LENGTH) {
      out.putByte((negative ? 0x7F - bytes : 0x80 + bytes) ^ flip);
    } else {
      out.putByte((negative ? 0x00 : 0xFF) ^ flip);
      out.putInt((negative ? ~bytes : bytes) ^ flip);
    }
  }

  static long read(MemorySegment key, long offset, long mask, ByteWriter out) {
    long start = valueStart(key, offset, mask);
    long end = start + length(key, offset, mask);
    for (long at = start; at < end; at++) {
      out.putByte(Bytes.getByte(key, at) ^ (int) mask);
    }
    return end;
  }

  /** Reads the number at an offset, which must fit a long. */
  static long readLong(MemorySegment key, long offset, long mask) {
    long start = valueStart(key, offset, mask);
    long end = start + length(key, offset, mask);
    long number = (byte) (Bytes.getByte(key, start) ^ mask);
    for (long at = start + 1; at < end; at++) {
      number = (number << 8) | ((Bytes.getByte(key, at) ^ mask) & 0xFF);
    }
    return number;
  }

  static long skip(MemorySegment key, long offset, long mask) {
    return valueStart(key, offset, mask) + length(key, offset, mask);
  }

  private static int header(MemorySegment key, long offset, long mask) {
    return (int) (Bytes.getByte(key, offset) ^ mask) & 0xFF;
  }

  private static long valueStart(MemorySegment key, long offset, long mask) {
    int header = header(key, offset, mask);
    return header == 0x00 || header == 0xFF ? offset + 5 : offset + 1;
  }

  private static int length(MemorySegment key, long offset, long mask) {
    int header = header(key, offset, mask);
    if (header == 0x00) {
      return ~(Bytes.getInt(key, offset + 1) ^ (int) mask);
    }
    if (header == 0xFF) {
      return Bytes.getInt(key, offset + 1) ^ (int) mask;
    }
    return header >= 0x80 ? header - 0x80 : 0x7F - header;
  }
}
