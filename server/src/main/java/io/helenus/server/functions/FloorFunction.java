package io.helenus.server.functions;

import static io.helenus.server.types.ScalarType.DATE;
import static io.helenus.server.types.ScalarType.DURATION;
import static io.helenus.server.types.ScalarType.TIME;
import static io.helenus.server.types.ScalarType.TIMESTAMP;
import static io.helenus.server.types.ScalarType.TIMEUUID;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlDuration;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/**
 * {@code floor}: rounds a time down to a multiple of a duration after a starting time, which is
 * 1970-01-01 by default. Stateless.
 */
final class FloorFunction {
  private static final String NAME = "floor";
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_DAY = MILLIS_PER_DAY * NANOS_PER_MILLI;

  private FloorFunction() {}

  static List<CqlFunction> overloads(String name) {
    if (!name.equals(NAME)) {
      return List.of();
    }
    return List.of(
        of(List.of(TIMESTAMP, DURATION), TIMESTAMP, FloorFunction::floorTimestamp),
        of(List.of(TIMESTAMP, DURATION, TIMESTAMP), TIMESTAMP, FloorFunction::floorTimestamp),
        of(List.of(TIMEUUID, DURATION), TIMESTAMP, FloorFunction::floorTimeUuid),
        of(List.of(TIMEUUID, DURATION, TIMESTAMP), TIMESTAMP, FloorFunction::floorTimeUuid),
        of(List.of(DATE, DURATION), DATE, FloorFunction::floorDate),
        of(List.of(DATE, DURATION, DATE), DATE, FloorFunction::floorDate),
        of(List.of(TIME, DURATION), TIME, FloorFunction::floorTime));
  }

  private static ScalarFunction of(
      List<CqlType> argumentTypes, ScalarType returnType, ScalarFunction.Body body) {
    return new ScalarFunction(
        NAME,
        argumentTypes,
        returnType,
        true,
        (arguments, context, out) -> {
          for (int i = 0; i < arguments.count(); i++) {
            if (arguments.length(i) <= 0) {
              return false;
            }
          }
          return body.execute(arguments, context, out);
        });
  }

  private static CqlDuration duration(FunctionArguments arguments) {
    return CqlDuration.of(arguments.getBytes(1));
  }

  private static CqlDuration millisecondDuration(FunctionArguments arguments) {
    CqlDuration duration = duration(arguments);
    if (duration.nanoseconds() % NANOS_PER_MILLI != 0) {
      throw CqlException.invalid(
          "The floor cannot be computed for the "
              + duration.toText()
              + " duration as precision is below 1 millisecond");
    }
    return duration;
  }

  private static boolean floorTimestamp(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    CqlDuration duration = millisecondDuration(arguments);
    long start = arguments.count() == 3 ? arguments.getLong(2) : 0;
    out.putLong(floor(arguments.getLong(0), duration, start));
    return true;
  }

  private static boolean floorTimeUuid(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    CqlDuration duration = millisecondDuration(arguments);
    long start = arguments.count() == 3 ? arguments.getLong(2) : 0;
    out.putLong(floor(FunctionContext.millisOf(arguments.getLong(0)), duration, start));
    return true;
  }

  private static boolean floorDate(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    CqlDuration duration = duration(arguments);
    if (duration.nanoseconds() != 0) {
      throw CqlException.invalid(
          "The floor on date values cannot be computed for the "
              + duration.toText()
              + " duration as precision is below 1 day");
    }
    long start = arguments.count() == 3 ? millisOfDate(arguments, 2) : 0;
    long floor = floor(millisOfDate(arguments, 0), duration, start);
    out.putInt((int) Math.floorDiv(floor, MILLIS_PER_DAY) ^ Integer.MIN_VALUE);
    return true;
  }

  private static long millisOfDate(FunctionArguments arguments, int index) {
    return (arguments.getInt(index) ^ Integer.MIN_VALUE) * MILLIS_PER_DAY;
  }

  private static boolean floorTime(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    CqlDuration duration = duration(arguments);
    refuseNegative(duration);
    if (duration.months() != 0 || duration.days() != 0 || duration.nanoseconds() > NANOS_PER_DAY) {
      throw CqlException.invalid(
          "For time values, the floor can only be computed for durations smaller that a day");
    }
    long time = arguments.getLong(0);
    out.putLong(duration.nanoseconds() == 0 ? time : time - time % duration.nanoseconds());
    return true;
  }

  private static void refuseNegative(CqlDuration duration) {
    if (duration.months() < 0 || duration.days() < 0 || duration.nanoseconds() < 0) {
      throw CqlException.invalid("Negative durations are not supported by the floor function");
    }
  }

  /** Rounds milliseconds since 1970 down. */
  private static long floor(long time, CqlDuration duration, long start) {
    if (start > time) {
      throw CqlException.invalid(
          "The floor function starting time is greater than the provided time");
    }
    refuseNegative(duration);
    long millis = duration.days() * MILLIS_PER_DAY + duration.nanoseconds() / NANOS_PER_MILLI;
    if (duration.months() == 0) {
      return millis == 0 ? time : time - (time - start) % millis;
    }
    long count = monthsBetween(start, time) / duration.months();
    long floor = after(start, count, duration.months(), millis);
    if (floor > time) {
      // The number of months alone is an upper bound: search for the last multiple before the time
      long low = 0;
      while (low < count) {
        long middle = (low + count + 1) >>> 1;
        if (after(start, middle, duration.months(), millis) > time) {
          count = middle - 1;
        } else {
          low = middle;
        }
      }
      floor = after(start, count, duration.months(), millis);
    }
    return floor;
  }

  private static long monthsBetween(long start, long time) {
    var from = Instant.ofEpochMilli(start).atZone(ZoneOffset.UTC);
    var to = Instant.ofEpochMilli(time).atZone(ZoneOffset.UTC);
    return (to.getYear() - from.getYear()) * 12L + to.getMonthValue() - from.getMonthValue();
  }

  private static long after(long start, long count, int months, long millis) {
    return Instant.ofEpochMilli(start)
            .atZone(ZoneOffset.UTC)
            .plusMonths(count * months)
            .toInstant()
            .toEpochMilli()
        + count * millis;
  }
}
