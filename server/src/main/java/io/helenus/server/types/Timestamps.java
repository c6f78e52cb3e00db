package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps: milliseconds since 1970-01-01 UTC. Text is an integer, {@code now}, or a date with an
 * optional time of day and an optional zone; the default zone is that of this process, as in
 * Cassandra. Stateless.
 */
final class Timestamps {
  private Timestamps() {}

  /** Initialized when the first text that is not a number is parsed. */
  private static final class Formats {
    static final List<DateTimeFormatter> ALL = make();

    private static List<DateTimeFormatter> make() {
      List<DateTimeFormatter> formats = new ArrayList<>();
      List<String> zones = List.of(" z", " zzzz", " X", "X", "XXX");
      for (String dateTime : List.of("y-M-d'T'H:m[:s]", "y-M-d H:m[:s]")) {
        formats.add(local(withFraction(dateTime)));
        for (String zone : zones) {
          formats.add(withFraction(dateTime).appendPattern(zone).toFormatter(Locale.US));
        }
      }
      for (String zone : zones) {
        formats.add(
            new DateTimeFormatterBuilder()
                .appendPattern("yyyy-MM-dd")
                .appendPattern(zone)
                .parseDefaulting(ChronoField.NANO_OF_DAY, 0)
                .toFormatter(Locale.US));
      }
      formats.add(
          local(
              new DateTimeFormatterBuilder()
                  .append(DateTimeFormatter.ISO_DATE)
                  .parseDefaulting(ChronoField.NANO_OF_DAY, 0)));
      return List.copyOf(formats);
    }

    private static DateTimeFormatterBuilder withFraction(String dateTime) {
      return new DateTimeFormatterBuilder()
          .appendPattern(dateTime)
          .appendFraction(ChronoField.MILLI_OF_SECOND, 0, 9, true);
    }

    private static DateTimeFormatter local(DateTimeFormatterBuilder builder) {
      return builder.toFormatter(Locale.US).withZone(ZoneId.systemDefault());
    }
  }

  static byte[] parse(String text, @Nullable LongSupplier currentTimeMillis) {
    return ByteBuffer.allocate(8).putLong(parseMillis(text, currentTimeMillis)).array();
  }

  private static long parseMillis(String text, @Nullable LongSupplier currentTimeMillis) {
    if (currentTimeMillis != null && text.equalsIgnoreCase("now")) {
      return currentTimeMillis.getAsLong();
    }
    if (Dates.isInteger(text)) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw CqlException.invalid("Unable to make long (for date) from: '" + text + "'");
      }
    }
    LocalDateTime plain = PlainDateTime.parse(text);
    if (plain != null) {
      return plain.atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
    }
    for (DateTimeFormatter format : Formats.ALL) {
      try {
        return ZonedDateTime.parse(text, format).toInstant().toEpochMilli();
      } catch (DateTimeParseException e) {
        continue;
      } catch (ArithmeticException e) {
        break;
      }
    }
    throw CqlException.invalid("Unable to parse a date/time from '" + text + "'");
  }

  /** Formats a timestamp as {@code 2020-01-02T03:04:05.678Z}. */
  static String toText(long millis) {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.US);
    return format.format(Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC));
  }

  /** Formats a timestamp as JSON shows it, {@code 2020-01-02 03:04:05.678Z}. */
  static String toJson(byte[] value) {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSX", Locale.US);
    return format.format(Instant.ofEpochMilli(WireValues.toLong(value)).atZone(ZoneOffset.UTC));
  }
}
