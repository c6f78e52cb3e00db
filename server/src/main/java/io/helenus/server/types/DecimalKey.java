package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Encodes decimals in keys. A nonzero number is written as 0.d1d2d3… × 10^e with d1 ≠ 0 and encoded
 * as a sign byte (0x7F negative, 0x81 positive), the exponent e encoded by {@link VarintKey}, the
 * digits as one byte per pair (1 + the pair; an odd last digit is padded with 0), and a terminating
 * 0 byte. Zero is the single byte 0x80. Exponent and digits of a negative number are inverted, and
 * all bytes are inverted again for DESC (mask -1).
 *
 * <p>Wire bytes are a four-byte scale and the unscaled number in two's complement. 1.0 and 1.00
 * have the same encoding. A key decodes to the smallest non-negative scale, or to a negative scale
 * if the number would otherwise need more than {@link #ZEROS_LIMIT} trailing zeros. Allocates; not
 * for hot paths.
 */
final class DecimalKey {
  private static final int ZEROS_LIMIT = 38;
  private static final int NEGATIVE = 0x7F;
  private static final int ZERO = 0x80;
  private static final int POSITIVE = 0x81;

  private DecimalKey() {}

  static BigDecimal decimal(byte[] wire) {
    int scale = (wire[0] << 24) | (wire[1] & 0xFF) << 16 | (wire[2] & 0xFF) << 8 | (wire[3] & 0xFF);
    BigInteger unscaled =
        wire.length == 4 ? BigInteger.ZERO : new BigInteger(wire, 4, wire.length - 4);
    return new BigDecimal(unscaled, scale);
  }

  /**
   * Whether decoding the encoded value yields the same bytes, that is, whether {@link #putWire}
   * would choose this scale.
   */
  static boolean isCanonical(MemorySegment value, long offset, int length) {
    if (!VarintKey.isMinimal(value, offset + 4, length - 4) || length == 4) {
      return false;
    }
    int scale = Bytes.getInt(value, offset);
    BigInteger unscaled = new BigInteger(Bytes.toArray(value, offset + 4, length - 4));
    if (unscaled.signum() == 0) {
      return scale == 0;
    }
    int zeros = trailingZeros(unscaled);
    if (zeros == 0) {
      return scale >= 0 || scale < -ZEROS_LIMIT;
    }
    return scale == Integer.MIN_VALUE || (scale == 0 && zeros <= ZEROS_LIMIT);
  }

  private static int trailingZeros(BigInteger number) {
    String digits = number.toString();
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    return digits.length() - end;
  }

  static void write(MemorySegment value, long offset, int length, long mask, ByteWriter out) {
    int scale = Bytes.getInt(value, offset);
    BigInteger unscaled =
        length == 4
            ? BigInteger.ZERO
            : new BigInteger(Bytes.toArray(value, offset + 4, length - 4));
    int sign = unscaled.signum();
    out.putByte((sign < 0 ? NEGATIVE : sign == 0 ? ZERO : POSITIVE) ^ (int) mask);
    if (sign == 0) {
      return;
    }
    String digits = unscaled.abs().toString();
    long flip = sign < 0 ? ~mask : mask;
    VarintKey.writeLong((long) digits.length() - scale, flip, out);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    for (int i = 0; i < end; i += 2) {
      int pair = 10 * (digits.charAt(i) - '0') + (i + 1 < end ? digits.charAt(i + 1) - '0' : 0);
      out.putByte((pair + 1) ^ (int) flip);
    }
    out.putByte((int) flip);
  }

  static long read(MemorySegment key, long offset, long mask, ByteWriter out) {
    int sign = (int) (Bytes.getByte(key, offset) ^ mask) & 0xFF;
    if (sign == ZERO) {
      out.putInt(0).putByte(0);
      return offset + 1;
    }
    long flip = sign == NEGATIVE ? ~mask : mask;
    long exponent = VarintKey.readLong(key, offset + 1, flip);
    long at = VarintKey.skip(key, offset + 1, flip);
    StringBuilder digits = new StringBuilder();
    int pair = (int) (Bytes.getByte(key, at++) ^ flip) & 0xFF;
    while (pair != 0) {
      digits.append((char) ('0' + (pair - 1) / 10)).append((char) ('0' + (pair - 1) % 10));
      pair = (int) (Bytes.getByte(key, at++) ^ flip) & 0xFF;
    }
    if (digits.charAt(digits.length() - 1) == '0') {
      digits.setLength(digits.length() - 1);
    }
    putWire(sign == NEGATIVE, digits, exponent, out);
    return at;
  }

  private static void putWire(
      boolean negative, StringBuilder digits, long exponent, ByteWriter out) {
    long scale = digits.length() - exponent;
    long fewestDigitsScale = Math.max(scale, Integer.MIN_VALUE);
    long wireScale = scale < 0 && scale >= -ZEROS_LIMIT ? 0 : fewestDigitsScale;
    char[] zeros = new char[(int) (wireScale - scale)];
    Arrays.fill(zeros, '0');
    digits.append(zeros);
    BigInteger unscaled = new BigInteger(digits.toString());
    out.putInt(Math.toIntExact(wireScale));
    out.putBytes((negative ? unscaled.negate() : unscaled).toByteArray());
  }

  static long skip(MemorySegment key, long offset, long mask) {
    int sign = (int) (Bytes.getByte(key, offset) ^ mask) & 0xFF;
    if (sign == ZERO) {
      return offset + 1;
    }
    long flip = sign == NEGATIVE ? ~mask : mask;
    long at = VarintKey.skip(key, offset + 1, flip);
    while ((byte) (Bytes.getByte(key, at++) ^ flip) != 0) {
      continue;
    }
    return at;
  }
}
