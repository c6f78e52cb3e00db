package io.helenus.server.conformance;

import io.helenus.server.client.BodyWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts values between wire bytes and the text of the scripts.
 *
 * <p>The text is exact: a value whose text would not yield the same bytes (a padded varint, a NaN
 * with a payload, a wrong length) is written as {@code raw:0x…}. A null is {@code null}, a
 * zero-length value of a type that usually has a length is {@code empty}; {@code unset} can only be
 * bound. Text is quoted as in CQL, with {@code \n}, {@code \t}, {@code \\} and {@code \}{@code
 * uXXXX} for unprintable characters.
 */
public final class Literal {
  private static final HexFormat HEX = HexFormat.of();

  private Literal() {}

  /** A value to bind: bytes, null, or unset. */
  public record Bound(byte @Nullable [] bytes, boolean unset) {}

  /** Formats the wire bytes of a value. */
  static String format(DataType type, byte @Nullable [] bytes) {
    if (bytes == null) {
      return "null";
    }
    if (bytes.length == 0 && !mayBeEmpty(type)) {
      return "empty";
    }
    try {
      String text = formatValue(type, bytes);
      if (type instanceof DataType.Custom
          || Arrays.equals(bytes, new Reader(text).read(type).bytes())) {
        return text;
      }
    } catch (BufferUnderflowException
        | DateTimeException
        | IllegalArgumentException
        | CharacterCodingException
        | UnknownHostException e) {
      return "raw:0x" + HEX.formatHex(bytes) + " (" + e.getClass().getSimpleName() + ")";
    }
    return "raw:0x" + HEX.formatHex(bytes);
  }

  /** Parses a comma-separated line of values of these types; additional values are ints. */
  public static List<Bound> parseAll(String line, List<DataType> types) {
    Reader reader = new Reader(line);
    List<Bound> values = new ArrayList<>();
    for (DataType type : types) {
      if (!reader.atEnd()) {
        values.add(reader.read(type));
        reader.skip(',');
      }
    }
    while (!reader.atEnd()) {
      values.add(reader.read(DataType.Scalar.INT));
      reader.skip(',');
    }
    return values;
  }

  /** Parses a comma-separated line of values each of which is preceded by its type. */
  static List<Bound> parseTyped(String line) {
    Reader reader = new Reader(line);
    List<Bound> values = new ArrayList<>();
    while (!reader.atEnd()) {
      values.add(reader.read(reader.readType()));
      reader.skip(',');
    }
    return values;
  }

  private static boolean mayBeEmpty(DataType type) {
    return type == DataType.Scalar.TEXT
        || type == DataType.Scalar.ASCII
        || type == DataType.Scalar.BLOB;
  }

  private static String formatValue(DataType type, byte[] bytes)
      throws CharacterCodingException, UnknownHostException {
    return switch (type) {
      case DataType.Scalar scalar -> formatScalar(scalar, bytes);
      case DataType.ListOf list -> "[" + formatElements(list.element(), bytes) + "]";
      case DataType.SetOf set -> "{" + formatElements(set.element(), bytes) + "}";
      case DataType.MapOf map -> formatMap(map, bytes);
      case DataType.TupleOf tuple -> formatTuple(tuple, bytes);
      case DataType.UserType user -> formatUserType(user, bytes);
      case DataType.Custom _, DataType.VectorOf _ -> "0x" + HEX.formatHex(bytes);
    };
  }

  private static String formatScalar(DataType.Scalar scalar, byte[] bytes)
      throws CharacterCodingException, UnknownHostException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return switch (scalar) {
      case ASCII, TEXT -> quote(StandardCharsets.UTF_8.newDecoder().decode(buffer).toString());
      case BIGINT, COUNTER -> Long.toString(buffer.getLong());
      case BLOB -> "0x" + HEX.formatHex(bytes);
      case BOOLEAN -> bytes[0] == 0 ? "false" : "true";
      case DECIMAL -> formatDecimal(buffer);
      case DOUBLE -> Double.toString(buffer.getDouble());
      case FLOAT -> Float.toString(buffer.getFloat());
      case INT -> Integer.toString(buffer.getInt());
      case TIMESTAMP -> Instant.ofEpochMilli(buffer.getLong()).toString();
      case UUID, TIMEUUID -> new UUID(buffer.getLong(), buffer.getLong()).toString();
      case VARINT -> new BigInteger(bytes).toString();
      case INET -> InetAddress.getByAddress(bytes).getHostAddress();
      case DATE -> LocalDate.ofEpochDay((buffer.getInt() & 0xFFFFFFFFL) - 0x80000000L).toString();
      case TIME -> LocalTime.ofNanoOfDay(buffer.getLong()).toString();
      case SMALLINT -> Short.toString(buffer.getShort());
      case TINYINT -> Byte.toString(buffer.get());
      case DURATION ->
          VInt.readSigned(buffer)
              + "mo"
              + VInt.readSigned(buffer)
              + "d"
              + VInt.readSigned(buffer)
              + "ns";
    };
  }

  private static String formatDecimal(ByteBuffer buffer) {
    int scale = buffer.getInt();
    byte[] unscaled = new byte[buffer.remaining()];
    buffer.get(unscaled);
    return new BigDecimal(new BigInteger(unscaled), scale).toString();
  }

  private static byte @Nullable [] take(ByteBuffer buffer) {
    int length = buffer.getInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }

  private static String formatElements(DataType element, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<String> elements = new ArrayList<>();
    for (int count = buffer.getInt(); count > 0; count--) {
      elements.add(format(element, take(buffer)));
    }
    return String.join(", ", elements);
  }

  private static String formatMap(DataType.MapOf map, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<String> entries = new ArrayList<>();
    for (int count = buffer.getInt(); count > 0; count--) {
      String key = format(map.key(), take(buffer));
      entries.add(key + ": " + format(map.value(), take(buffer)));
    }
    return "{" + String.join(", ", entries) + "}";
  }

  private static String formatTuple(DataType.TupleOf tuple, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<String> elements = new ArrayList<>();
    for (DataType element : tuple.elements()) {
      if (buffer.hasRemaining()) {
        elements.add(format(element, take(buffer)));
      }
    }
    return "(" + String.join(", ", elements) + ")";
  }

  private static String formatUserType(DataType.UserType user, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < user.fields().size() && buffer.hasRemaining(); i++) {
      entries.add(user.fields().get(i) + ": " + format(user.types().get(i), take(buffer)));
    }
    return "{" + String.join(", ", entries) + "}";
  }

  /** Quotes text as in CQL, escaping unprintable characters and line breaks. */
  static String quote(String text) {
    return "'" + escape(text).replace("'", "''") + "'";
  }

  /** Escapes backslashes and unprintable characters. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        escaped.append("\\\\");
      } else if (c == '\n') {
        escaped.append("\\n");
      } else if (c == '\t') {
        escaped.append("\\t");
      } else if (c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0xFEFF) {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** The inverse of {@link #escape}. */
  public static String unescape(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      i++;
      switch (text.charAt(i)) {
        case 'n' -> plain.append('\n');
        case 't' -> plain.append('\t');
        case 'r' -> plain.append('\r');
        case 'u' -> {
          plain.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
          i += 4;
        }
        default -> plain.append(text.charAt(i));
      }
    }
    return plain.toString();
  }

  /** Reads values from a line. */
  private static final class Reader {
    private final String line;
    private int position;

    Reader(String line) {
      this.line = line;
    }

    boolean atEnd() {
      skipSpaces();
      return position >= line.length();
    }

    void skip(char expected) {
      skipSpaces();
      if (position < line.length() && line.charAt(position) == expected) {
        position++;
      }
    }

    private void skipSpaces() {
      while (position < line.length() && line.charAt(position) == ' ') {
        position++;
      }
    }

    DataType readType() {
      skipSpaces();
      int end = line.indexOf(' ', position);
      String name = line.substring(position, end);
      position = end;
      if (name.startsWith("list<")) {
        return new DataType.ListOf(DataType.Scalar.named(name.substring(5, name.length() - 1)));
      }
      return DataType.Scalar.named(name);
    }

    Bound read(DataType type) {
      skipSpaces();
      int start = position;
      if (!line.startsWith("'", position)) {
        String token = readToken();
        switch (token) {
          case "null":
            return new Bound(null, false);
          case "unset":
            return new Bound(null, true);
          case "empty":
            return new Bound(new byte[0], false);
          default:
            if (token.startsWith("raw:0x")) {
              return new Bound(HEX.parseHex(token.substring(6)), false);
            }
        }
        position = start;
      }
      return new Bound(readValue(type), false);
    }

    private String readToken() {
      int start = position;
      while (position < line.length()) {
        char c = line.charAt(position);
        if (c == ',' || c == ')' || c == ']' || c == '}' || line.startsWith(": ", position)) {
          break;
        }
        position++;
      }
      return line.substring(start, position).strip();
    }

    private String readText() {
      if (!line.startsWith("'", position)) {
        throw new IllegalArgumentException("missing quote: " + line.substring(position));
      }
      StringBuilder text = new StringBuilder();
      for (position++; ; position++) {
        if (line.charAt(position) == '\'') {
          if (!line.startsWith("''", position)) {
            break;
          }
          position++;
        }
        text.append(line.charAt(position));
      }
      position++;
      return unescape(text.toString());
    }

    private byte[] readValue(DataType type) {
      return switch (type) {
        case DataType.Scalar scalar -> readScalar(scalar);
        case DataType.ListOf list -> readElements('[', ']', list.element());
        case DataType.SetOf set -> readElements('{', '}', set.element());
        case DataType.MapOf map -> readMap(map);
        case DataType.TupleOf tuple -> readTuple(tuple);
        case DataType.UserType user -> readUserType(user);
        case DataType.VectorOf _ -> HEX.parseHex(readToken().substring(2));
        case DataType.Custom custom -> {
          DataType.Scalar scalar = custom.scalar();
          yield scalar == null || line.startsWith("0x", position)
              ? HEX.parseHex(readToken().substring(2))
              : readScalar(scalar);
        }
      };
    }

    private byte[] readElements(char open, char close, DataType element) {
      skip(open);
      List<Bound> elements = new ArrayList<>();
      skipSpaces();
      while (line.charAt(position) != close) {
        elements.add(read(element));
        skip(',');
        skipSpaces();
      }
      position++;
      BodyWriter bytes = new BodyWriter().putInt(elements.size());
      elements.forEach(each -> bytes.putBytes(each.bytes()));
      return bytes.toArray();
    }

    private byte[] readMap(DataType.MapOf map) {
      skip('{');
      BodyWriter entries = new BodyWriter();
      int count = 0;
      skipSpaces();
      while (line.charAt(position) != '}') {
        entries.putBytes(read(map.key()).bytes());
        skip(':');
        entries.putBytes(read(map.value()).bytes());
        skip(',');
        skipSpaces();
        count++;
      }
      position++;
      return new BodyWriter().putInt(count).putRaw(entries.toArray()).toArray();
    }

    private byte[] readTuple(DataType.TupleOf tuple) {
      skip('(');
      BodyWriter bytes = new BodyWriter();
      for (DataType element : tuple.elements()) {
        skipSpaces();
        if (line.charAt(position) != ')') {
          bytes.putBytes(read(element).bytes());
          skip(',');
        }
      }
      skip(')');
      return bytes.toArray();
    }

    private byte[] readUserType(DataType.UserType user) {
      skip('{');
      BodyWriter bytes = new BodyWriter();
      for (DataType field : user.types()) {
        skipSpaces();
        if (line.charAt(position) != '}') {
          position = line.indexOf(':', position) + 1;
          bytes.putBytes(read(field).bytes());
          skip(',');
        }
      }
      skip('}');
      return bytes.toArray();
    }

    private byte[] readScalar(DataType.Scalar scalar) {
      if (mayBeEmpty(scalar) && scalar != DataType.Scalar.BLOB) {
        return readText().getBytes(StandardCharsets.UTF_8);
      }
      String token = readToken();
      BodyWriter bytes = new BodyWriter();
      switch (scalar) {
        case ASCII, TEXT -> throw new IllegalStateException("read above");
        case BLOB -> bytes.putRaw(HEX.parseHex(token.substring(2)));
        case BIGINT, COUNTER -> bytes.putLong(Long.parseLong(token));
        case BOOLEAN -> bytes.putByte(token.equals("true") ? 1 : 0);
        case DECIMAL -> {
          BigDecimal decimal = new BigDecimal(token);
          bytes.putInt(decimal.scale()).putRaw(decimal.unscaledValue().toByteArray());
        }
        case DOUBLE -> bytes.putLong(Double.doubleToRawLongBits(Double.parseDouble(token)));
        case FLOAT -> bytes.putInt(Float.floatToRawIntBits(Float.parseFloat(token)));
        case INT -> bytes.putInt(Integer.parseInt(token));
        case TIMESTAMP -> bytes.putLong(Instant.parse(token).toEpochMilli());
        case UUID, TIMEUUID -> {
          UUID uuid = UUID.fromString(token);
          bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        }
        case VARINT -> bytes.putRaw(new BigInteger(token).toByteArray());
        case INET -> bytes.putRaw(address(token));
        case DATE -> bytes.putInt((int) (LocalDate.parse(token).toEpochDay() + 0x80000000L));
        case TIME -> bytes.putLong(LocalTime.parse(token).toNanoOfDay());
        case SMALLINT -> bytes.putShort(Short.parseShort(token));
        case TINYINT -> bytes.putByte(Byte.parseByte(token));
        case DURATION -> readDuration(token, bytes);
      }
      return bytes.toArray();
    }

    private static byte[] address(String token) {
      try {
        return InetAddress.getByName(token).getAddress();
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(e);
      }
    }

    private static void readDuration(String token, BodyWriter bytes) {
      int months = token.indexOf("mo");
      int days = token.indexOf('d');
      int nanos = token.indexOf("ns");
      VInt.writeSigned(bytes, Long.parseLong(token.substring(0, months)));
      VInt.writeSigned(bytes, Long.parseLong(token.substring(months + 2, days)));
      VInt.writeSigned(bytes, Long.parseLong(token.substring(days + 1, nanos)));
    }
  }

  /**
   * The variable-length integers of durations: the leading one bits of the first byte give the
   * number of bytes that follow.
   */
  private static final class VInt {
    private VInt() {}

    static long readSigned(ByteBuffer buffer) {
      int first = buffer.get() & 0xFF;
      int more = Math.min(8, Integer.numberOfLeadingZeros(~first << 24));
      long value = more == 8 ? 0 : first & (0xFF >>> more);
      for (int i = 0; i < more; i++) {
        value = value << 8 | (buffer.get() & 0xFF);
      }
      return value >>> 1 ^ -(value & 1);
    }

    static void writeSigned(BodyWriter bytes, long signed) {
      long value = signed << 1 ^ signed >> 63;
      int bits = 64 - Long.numberOfLeadingZeros(value | 1);
      int more = Math.min(8, (bits - 1) / 7);
      int ones = 0xFF << (8 - more) & 0xFF;
      bytes.putByte(more == 8 ? 0xFF : ones | (int) (value >>> (8 * more)));
      for (int i = more - 1; i >= 0; i--) {
        bytes.putByte((int) (value >>> (8 * i)));
      }
    }
  }
}
