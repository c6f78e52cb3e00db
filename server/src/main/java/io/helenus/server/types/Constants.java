package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.error.CqlException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts CQL constants to wire bytes, with Cassandra's checks and error texts. Stateless; not for
 * hot paths.
 */
final class Constants {
  /** Limits the digits of a number: parsing a longer one would block a shard for too long. */
  static final int DIGITS_LIMIT = 65_536;

  private static final int UUID_CHARACTERS = 36;

  private Constants() {}

  static boolean accepts(ScalarType type, ConstantKind kind) {
    return switch (kind) {
      case STRING ->
          switch (type) {
            case ASCII, TEXT, INET, DATE, TIME, TIMESTAMP -> true;
            default -> false;
          };
      case INTEGER ->
          switch (type) {
            case BIGINT,
                COUNTER,
                DATE,
                DECIMAL,
                DOUBLE,
                DURATION,
                FLOAT,
                INT,
                SMALLINT,
                TIME,
                TIMESTAMP,
                TINYINT,
                VARINT ->
                true;
            default -> false;
          };
      case UUID -> type == ScalarType.UUID || type == ScalarType.TIMEUUID;
      case FLOAT ->
          type == ScalarType.DECIMAL || type == ScalarType.DOUBLE || type == ScalarType.FLOAT;
      case BOOLEAN -> type == ScalarType.BOOLEAN;
      case HEX -> type == ScalarType.BLOB || type == ScalarType.TINYINT;
      case DURATION -> type == ScalarType.DURATION;
    };
  }

  static byte[] toWire(
      ScalarType type,
      ConstantKind kind,
      String text,
      String receiver,
      @Nullable LongSupplier currentTimeMillis) {
    if (!accepts(type, kind)) {
      throw CqlException.invalid(
          "Invalid "
              + kind
              + " constant ("
              + text
              + ") for \""
              + receiver
              + "\" of type "
              + type.toCql());
    }
    if (kind == ConstantKind.HEX) {
      // Like Cassandra's, tinyint accepts any bytes here; they are checked only when bound.
      return hex(text.substring(2));
    }
    return fromString(type, text, currentTimeMillis);
  }

  static byte[] fromString(ScalarType type, String text, @Nullable LongSupplier currentTimeMillis) {
    if (text.isEmpty() && isEmptyValue(type)) {
      return new byte[0];
    }
    return switch (type) {
      case ASCII -> ascii(text);
      case TEXT -> text.getBytes(UTF_8);
      case BLOB -> hex(text);
      case BOOLEAN -> bool(text);
      case INT -> ints(integer(text, "int", Integer.MIN_VALUE, Integer.MAX_VALUE));
      case SMALLINT ->
          ByteBuffer.allocate(2)
              .putShort((short) integer(text, "short", Short.MIN_VALUE, Short.MAX_VALUE))
              .array();
      case TINYINT -> new byte[] {(byte) integer(text, "byte", Byte.MIN_VALUE, Byte.MAX_VALUE)};
      case BIGINT, COUNTER -> longs(integer(text, "long", Long.MIN_VALUE, Long.MAX_VALUE));
      case VARINT -> varint(text);
      case DECIMAL -> decimal(text);
      case DOUBLE -> doubles(text);
      case FLOAT -> floats(text);
      case UUID, TIMEUUID -> uuid(type, text);
      case INET -> inet(text);
      case DATE -> Dates.parseDate(text);
      case TIME -> Times.parse(text);
      case TIMESTAMP -> Timestamps.parse(text, currentTimeMillis);
      case DURATION -> Durations.write(DurationText.parse(text));
      case EMPTY -> new byte[0];
    };
  }

  /** Whether an empty text, such as an element of a tuple's text, is the empty value. */
  private static boolean isEmptyValue(ScalarType type) {
    return switch (type) {
      case BOOLEAN, DATE, TIME -> false;
      default -> true;
    };
  }

  private static byte[] ints(long value) {
    return ByteBuffer.allocate(4).putInt((int) value).array();
  }

  private static byte[] longs(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static long integer(String text, String javaName, long smallest, long largest) {
    try {
      long value = Long.parseLong(text);
      if (value >= smallest && value <= largest) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below like any other invalid number
    }
    throw CqlException.invalid("Unable to make " + javaName + " from '" + text + "'");
  }

  private static byte[] ascii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7F) {
        int unitLength = Character.isHighSurrogate(text.charAt(i)) ? 2 : 1;
        throw CqlException.invalid(
            "Invalid ASCII character in string literal:"
                + " java.nio.charset.UnmappableCharacterException: Input length = "
                + unitLength);
      }
    }
    return text.getBytes(US_ASCII);
  }

  static byte[] hex(String digits) {
    if (digits.length() % 2 != 0) {
      throw CqlException.invalid("cannot parse '" + digits + "' as hex bytes");
    }
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw CqlException.invalid("cannot parse '" + digits + "' as hex bytes");
    }
  }

  private static byte[] bool(String text) {
    if (text.equalsIgnoreCase("true")) {
      return new byte[] {1};
    }
    if (text.isEmpty() || text.equalsIgnoreCase("false")) {
      return new byte[] {0};
    }
    throw CqlException.invalid("Unable to make boolean from '" + text + "'");
  }

  private static void requireReadable(String number) {
    if (number.length() > DIGITS_LIMIT) {
      throw CqlException.invalid("A number may have at most " + DIGITS_LIMIT + " characters");
    }
  }

  private static byte[] varint(String text) {
    requireReadable(text);
    try {
      return new BigInteger(text).toByteArray();
    } catch (NumberFormatException e) {
      throw CqlException.invalid("unable to make int from '" + text + "'");
    }
  }

  private static byte[] decimal(String text) {
    requireReadable(text);
    try {
      return decimalBytes(new BigDecimal(text));
    } catch (NumberFormatException e) {
      throw CqlException.invalid("unable to make BigDecimal from '" + text + "'");
    }
  }

  static byte[] decimalBytes(BigDecimal value) {
    byte[] unscaled = value.unscaledValue().toByteArray();
    return ByteBuffer.allocate(4 + unscaled.length).putInt(value.scale()).put(unscaled).array();
  }

  private static byte[] doubles(String text) {
    requireReadable(text);
    try {
      return longs(Double.doubleToLongBits(Double.parseDouble(text)));
    } catch (NumberFormatException e) {
      throw CqlException.invalid("Unable to make double from '" + text + "'");
    }
  }

  private static byte[] floats(String text) {
    requireReadable(text);
    try {
      return ints(Float.floatToIntBits(Float.parseFloat(text)));
    } catch (NumberFormatException e) {
      throw CqlException.invalid("Unable to make float from '" + text + "'");
    }
  }

  private static byte[] uuid(ScalarType type, String text) {
    if (!isUuid(text)) {
      throw CqlException.invalid(
          type == ScalarType.TIMEUUID
              ? "Unknown timeuuid representation: " + text
              : "Unable to make UUID from '" + text + "'");
    }
    UUID uuid = UUID.fromString(text);
    if (type == ScalarType.TIMEUUID && uuid.version() != 1) {
      throw CqlException.invalid("TimeUUID supports only version 1 UUIDs");
    }
    return WireValues.ofUuid(uuid);
  }

  /** Whether a text has all digits of a UUID; Java's class accepts fewer and more. */
  private static boolean isUuid(String text) {
    if (text.length() != UUID_CHARACTERS) {
      return false;
    }
    for (int i = 0; i < UUID_CHARACTERS; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      char character = text.charAt(i);
      if (dash ? character != '-' : character > 'f' || Character.digit(character, 16) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Accepts literal addresses only: a name lookup would block and may differ between nodes. */
  private static byte[] inet(String text) {
    if (text.equals("localhost")) {
      return new byte[] {127, 0, 0, 1};
    }
    try {
      return InetAddress.ofLiteral(text).getAddress();
    } catch (IllegalArgumentException e) {
      throw CqlException.invalid("Unable to make inet address from '" + text + "'");
    }
  }
}
