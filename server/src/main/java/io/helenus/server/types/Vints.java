package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Unsigned numbers in Cassandra's variable-length form: the count of leading ones of the first byte
 * is the count of further bytes (native protocol v5, section 5, [unsigned vint]). Stateless.
 */
final class Vints {
  private Vints() {}

  static void put(long number, ByteWriter out) {
    int bits = 64 - Long.numberOfLeadingZeros(number | 1);
    int bytes = bits > 56 ? 9 : (bits + 6) / 7;
    int extra = bytes - 1;
    if (extra == 8) {
      out.putByte(0xFF).putLong(number);
      return;
    }
    int marker = ~(0xFF >> extra) & 0xFF;
    out.putByte(marker | (int) (number >>> (8 * extra)));
    for (int shift = 8 * (extra - 1); shift >= 0; shift -= 8) {
      out.putByte((int) (number >>> shift));
    }
  }

  static long get(MemorySegment value, long at) {
    int first = Bytes.getUnsignedByte(value, at);
    int extra = extraBytes(first);
    long number = extra >= 7 ? 0 : first & (0xFF >> (extra + 1));
    for (int i = 1; i <= extra; i++) {
      number = (number << 8) | Bytes.getUnsignedByte(value, at + i);
    }
    return number;
  }

  /** The offset after the number at an offset; greater than {@code end} if it is cut off there. */
  static long end(MemorySegment value, long at, long end) {
    return at >= end ? end + 1 : at + 1 + extraBytes(Bytes.getUnsignedByte(value, at));
  }

  private static int extraBytes(int first) {
    return Integer.numberOfLeadingZeros(~(first << 24));
  }
}
