package io.helenus.server.functions;

import io.helenus.server.types.CqlDuration;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;

/** Adds durations to timestamps and dates. Stateless. */
final class DurationArithmetic {
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

  private DurationArithmetic() {}

  /**
   * Adds the duration, or subtracts it if the sign is negative.
   *
   * @throws ArithmeticException if the duration is not a whole number of milliseconds, or of days
   *     for a date
   */
  static byte[] add(ScalarType type, byte[] value, byte[] durationBytes, int sign) {
    CqlDuration duration = CqlDuration.of(durationBytes);
    if (type == ScalarType.TIMESTAMP) {
      if (duration.nanoseconds() % NANOS_PER_MILLI != 0) {
        throw new ArithmeticException(
            "The duration must have a millisecond precision. Was: " + duration.toText());
      }
      return WireValues.ofLong(moved(WireValues.toLong(value), duration, sign));
    }
    if (duration.nanoseconds() != 0) {
      throw new ArithmeticException(
          "The duration must have a day precision. Was: " + duration.toText());
    }
    long millis = (WireValues.toInt(value) ^ Integer.MIN_VALUE) * MILLIS_PER_DAY;
    long days = Math.floorDiv(moved(millis, duration, sign), MILLIS_PER_DAY);
    return WireValues.ofInt((int) days ^ Integer.MIN_VALUE);
  }

  /** As in Cassandra, months are those of the calendar in use: Julian until October 4, 1582. */
  private static long moved(long millis, CqlDuration duration, int sign) {
    GregorianCalendar calendar = new GregorianCalendar(UTC, Locale.ROOT);
    calendar.setTimeInMillis(millis);
    calendar.add(Calendar.MONTH, sign * duration.months());
    calendar.add(Calendar.DAY_OF_MONTH, sign * duration.days());
    return calendar.getTimeInMillis() + sign * (duration.nanoseconds() / NANOS_PER_MILLI);
  }
}
