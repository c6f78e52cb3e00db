package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import java.nio.ByteBuffer;

/** Times of day: nanoseconds since midnight in eight bytes; text is hh:mm:ss[.f…]. Stateless. */
final class Times {
  static final long NANOS_PER_DAY = 86_400_000_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private Times() {}

  static byte[] parse(String text) {
    return ByteBuffer.allocate(8).putLong(parseNanos(text)).array();
  }

  private static long parseNanos(String text) {
    if (Dates.isInteger(text)) {
      try {
        long nanos = Long.parseLong(text);
        if (nanos >= 0 && nanos < NANOS_PER_DAY) {
          return nanos;
        }
      } catch (NumberFormatException e) {
        // reported below like any other invalid number
      }
      throw CqlException.invalid("Unable to make long (for time) from: '" + text + "'");
    }
    try {
      return parseClock(text.strip());
    } catch (NumberFormatException e) {
      throw CqlException.invalid(
          "(TimeType) Unable to coerce '" + text + "' to a formatted time (long)");
    }
  }

  private static long parseClock(String text) {
    int first = text.indexOf(':');
    int second = text.indexOf(':', first + 1);
    if (first <= 0 || second <= first) {
      throw new NumberFormatException(text);
    }
    int point = text.indexOf('.', second);
    int secondsEnd = point < 0 ? text.length() : point;
    long hours = part(text, 0, first, 24);
    long minutes = part(text, first + 1, second, 60);
    long seconds = part(text, second + 1, secondsEnd, 60);
    long fraction = point < 0 ? 0 : fraction(text.substring(point + 1));
    return ((hours * 60 + minutes) * 60 + seconds) * NANOS_PER_SECOND + fraction;
  }

  private static int part(String text, int start, int end, int limit) {
    int value = Integer.parseInt(text.substring(start, end));
    if (value < 0 || value >= limit) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  private static long fraction(String digits) {
    if (digits.isEmpty() || digits.length() > 9 || !Character.isDigit(digits.charAt(0))) {
      throw new NumberFormatException(digits);
    }
    return Integer.parseInt(digits + "0".repeat(9 - digits.length()));
  }

  /** The text of any value: of one that is not a time of day, the one that Cassandra writes. */
  static String toText(long nanos) {
    long seconds = nanos / NANOS_PER_SECOND;
    long fraction = nanos % NANOS_PER_SECOND;
    StringBuilder out = new StringBuilder(18);
    padded(out, seconds / 3600 % 24, 2).append(':');
    padded(out, seconds / 60 % 60, 2).append(':');
    padded(out, seconds % 60, 2).append('.');
    padded(out, fraction / 1_000_000, 3);
    padded(out, fraction / 1000 % 1000, 3);
    return padded(out, fraction % 1000, 3).toString();
  }

  /** Appends a number; the zeros before a negative one are as many as before one digit. */
  private static StringBuilder padded(StringBuilder out, long number, int width) {
    int digits = number < 0 ? 1 : Long.toString(number).length();
    return out.append("0".repeat(width - digits)).append(number);
  }
}
