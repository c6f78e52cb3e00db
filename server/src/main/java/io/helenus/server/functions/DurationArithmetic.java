package io.helenus.server.functions;

import io.helenus.server.types.CqlDuration;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Adds durations to timestamps and dates. Stateless. */
final class DurationArithmetic {
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

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

  private static long moved(long millis, CqlDuration duration, int sign) {
    LocalDateTime from = LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
    return from.plusMonths((long) sign * duration.months())
            .plusDays((long) sign * duration.days())
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli()
        + sign * (duration.nanoseconds() / NANOS_PER_MILLI);
  }
}
