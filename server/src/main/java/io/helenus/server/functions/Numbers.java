package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Numbers of every numeric type as Java numbers, and back with Java's narrowing. Stateless. */
final class Numbers {
  private Numbers() {}

  static Number get(ScalarType type, byte[] wire) {
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
          throw new IllegalArgumentException(type + " is no number");
    };
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
          throw new IllegalArgumentException(type + " is no number");
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
