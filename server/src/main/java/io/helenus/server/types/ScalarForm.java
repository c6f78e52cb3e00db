package io.helenus.server.types;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The usual wire bytes of scalar values that have several: those that Cassandra writes for a value
 * that it has decoded, such as an element of a bound collection. Stateless; any thread.
 */
final class ScalarForm {
  private static final int IPV4_BYTES = 4;

  /** What follows eight zeros in an IPv6 address that stands for an IPv4 address. */
  private static final int IPV4_MAPPED = 0xFFFF;

  private ScalarForm() {}

  /** Whether a value of the type can have several forms. */
  static boolean isOneOfSeveral(ScalarType type) {
    return switch (type) {
      case BOOLEAN, DECIMAL, INET, VARINT -> true;
      default -> false;
    };
  }

  /** Whether a valid value is in its canonical form. */
  static boolean isUsual(ScalarType type, MemorySegment segment, long offset, int length) {
    return length <= 0
        || switch (type) {
          case BOOLEAN -> (Bytes.getByte(segment, offset) & ~1) == 0;
          case DECIMAL -> isShortest(segment, offset + Integer.BYTES, length - Integer.BYTES);
          case INET ->
              length == IPV4_BYTES
                  || Bytes.getLong(segment, offset) != 0
                  || Bytes.getInt(segment, offset + Long.BYTES) != IPV4_MAPPED;
          case VARINT -> isShortest(segment, offset, length);
          default -> true;
        };
  }

  /** Whether a number does not start with a byte that only repeats the sign. */
  private static boolean isShortest(MemorySegment segment, long offset, int length) {
    if (length < 2) {
      return true;
    }
    int start = Bytes.getShort(segment, offset) >> 7;
    return start != 0 && start != -1;
  }

  /** The canonical form of a valid value; the empty value is its own. */
  static byte[] usual(ScalarType type, byte[] value) {
    if (value.length == 0) {
      return value;
    }
    return switch (type) {
      case BOOLEAN -> new byte[] {(byte) (value[0] == 0 ? 0 : 1)};
      case DECIMAL -> usualDecimal(value);
      case INET -> usualAddress(value);
      case VARINT -> new BigInteger(value).toByteArray();
      default -> value;
    };
  }

  private static byte[] usualDecimal(byte[] value) {
    if (value.length == Integer.BYTES) {
      return value;
    }
    byte[] unscaled =
        new BigInteger(value, Integer.BYTES, value.length - Integer.BYTES).toByteArray();
    byte[] usual = Arrays.copyOf(value, Integer.BYTES + unscaled.length);
    System.arraycopy(unscaled, 0, usual, Integer.BYTES, unscaled.length);
    return usual;
  }

  /** Java has no IPv6 addresses that stand for IPv4 addresses. */
  private static byte[] usualAddress(byte[] value) {
    try {
      return InetAddress.getByAddress(value).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
