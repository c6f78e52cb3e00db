package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.error.CqlException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Formats scalars as plain text and as CQL literals. Stateless; cold path. */
final class ScalarText {
  private ScalarText() {}

  static String literal(ScalarType type, byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    return switch (type) {
      case ASCII, TEXT -> quote(text(type, value));
      case DATE, INET, TIME, TIMESTAMP -> value.length == 0 ? "''" : quote(text(type, value));
      case BIGINT,
          BLOB,
          BOOLEAN,
          COUNTER,
          DECIMAL,
          DOUBLE,
          DURATION,
          EMPTY,
          FLOAT,
          INT,
          SMALLINT,
          TIMEUUID,
          TINYINT,
          UUID,
          VARINT ->
          text(type, value);
    };
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String text(ScalarType type, byte[] value) {
    if (type == ScalarType.BLOB) {
      return "0x" + HexFormat.of().formatHex(value);
    }
    if (value.length == 0) {
      return "";
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return switch (type) {
      case ASCII -> new String(value, US_ASCII);
      case TEXT -> new String(value, UTF_8);
      case BIGINT, COUNTER -> Long.toString(bytes.getLong());
      case BOOLEAN -> Boolean.toString(value[0] != 0);
      case DATE -> Dates.toText(bytes.getInt());
      case DECIMAL -> DecimalKey.decimal(value).toString();
      case DOUBLE -> Double.toString(bytes.getDouble());
      case DURATION -> DurationText.toText(Durations.read(value));
      case FLOAT -> Float.toString(bytes.getFloat());
      case INET -> inet(value);
      case INT -> Integer.toString(bytes.getInt());
      case SMALLINT -> Short.toString(bytes.getShort());
      case TIME -> Times.toText(bytes.getLong());
      case TIMESTAMP -> Timestamps.toText(bytes.getLong());
      case TINYINT -> Byte.toString(value[0]);
      case UUID, TIMEUUID -> WireValues.toUuid(value).toString();
      case VARINT -> new BigInteger(value).toString();
      case BLOB, EMPTY -> "";
    };
  }

  private static String inet(byte[] value) {
    try {
      return InetAddress.getByAddress(value).getHostAddress();
    } catch (UnknownHostException e) {
      throw CqlException.invalid(
          "Expected 4 or 16 byte inetaddress; got " + HexFormat.of().formatHex(value));
    }
  }
}
