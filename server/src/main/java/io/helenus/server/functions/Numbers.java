package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * Converts values of every numeric type to Java numbers, and back with Java's narrowing. Stateless.
 */
final class Numbers {
  private Numbers() {}

  /**
   * The maximum length of an operand in bytes: computing with a longer one would block a shard for
   * too long.
   */
  static final int LIMIT_BYTES = 65_536;

  /** The maximum number of digits of a decimal in plain notation. */
  static final int DIGITS_LIMIT = 100_000;

  static Number get(ScalarType type, byte[] wire) {
    requireComputable(wire.length);
    ByteBuffer bytes = ByteBuffer.wrap(wire);
    return switch (type) {
      case TINYINT -> wire[0];
      case SMALLINT -> bytes.getShort();
      case INT -> bytes.getInt();
      case BIGINT, COUNTER -> bytes.getLong();
      case FLOAT -> bytes.getFloat();
      case DOUBLE -> bytes.getDouble();
      case VARINT -> WireValues.toVarint(wire);
      case DECIMAL -> WireValues.toDecimal(wire);
      case ASCII,
          BLOB,
          BOOLEAN,
          DATE,
          DURATION,
          EMPTY,
          INET,
          TEXT,
          TIME,
          TIMESTAMP,
          TIMEUUID,
          UUID ->
          throw new IllegalArgumentException(type + " is not a numeric type");
    };
  }

  /** Whether values of a type are integers of at most eight bytes. */
  static boolean isInteger(ScalarType type) {
    return switch (type) {
      case TINYINT, SMALLINT, INT, BIGINT, COUNTER -> true;
      default -> false;
    };
  }

  static void requireComputable(int lengthBytes) {
    if (lengthBytes > LIMIT_BYTES) {
      throw CqlException.invalid("Functions take numbers of at most " + LIMIT_BYTES + " bytes");
    }
  }

  /**
   * Rejects two decimals whose common scale would be too expensive, such as 1E+2000000000 and 1.
   *
   * @throws CqlException INVALID
   */
  static void requireNear(BigDecimal a, BigDecimal b) {
    long highest = Math.max((long) a.precision() - a.scale(), (long) b.precision() - b.scale());
    long lowest = Math.min(-(long) a.scale(), -(long) b.scale());
    if (highest - lowest > DIGITS_LIMIT) {
      throw CqlException.invalid(
          "Decimals may need at most " + DIGITS_LIMIT + " digits to be computed");
    }
  }

  static void put(ScalarType type, Number number, ByteWriter out) {
    switch (type) {
      case TINYINT -> out.putByte(number.byteValue());
      case SMALLINT -> out.putShort(number.shortValue());
      case INT -> out.putInt(number.intValue());
      case BIGINT, COUNTER -> out.putLong(number.longValue());
      case FLOAT -> out.putInt(Float.floatToRawIntBits(number.floatValue()));
      case DOUBLE -> out.putLong(Double.doubleToRawLongBits(number.doubleValue()));
      case VARINT -> out.putBytes(toVarint(number).toByteArray());
      case DECIMAL -> out.putBytes(WireValues.ofDecimal(toDecimal(number)));
      case ASCII,
          BLOB,
          BOOLEAN,
          DATE,
          DURATION,
          EMPTY,
          INET,
          TEXT,
          TIME,
          TIMESTAMP,
          TIMEUUID,
          UUID ->
          throw new IllegalArgumentException(type + " is not a numeric type");
    }
  }

  /** Through 64 bits, as Cassandra does. */
  static BigInteger toVarint(Number number) {
    return number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
  }

  /** Through text, as Cassandra's casts do. */
  static BigDecimal toDecimal(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger big) {
      return new BigDecimal(big);
    }
    try {
      return new BigDecimal(number.toString());
    } catch (NumberFormatException e) {
      throw CqlException.server("java.lang.NumberFormatException: " + e.getMessage());
    }
  }
}
