package io.helenus.server.functions;

import static io.helenus.server.types.ScalarType.BIGINT;
import static io.helenus.server.types.ScalarType.DATE;
import static io.helenus.server.types.ScalarType.TIME;
import static io.helenus.server.types.ScalarType.TIMESTAMP;
import static io.helenus.server.types.ScalarType.TIMEUUID;
import static io.helenus.server.types.ScalarType.UUID;

import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.List;

/** Functions of time, and {@code uuid}. Stateless. */
final class TimeFunctions {
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long SECONDS_PER_DAY = 86_400L;
  private static final long MIN_LOW_HALF = 0x8080_8080_8080_8080L;
  private static final long MAX_LOW_HALF = 0x7F7F_7F7F_7F7F_7F7FL;

  private TimeFunctions() {}

  static List<CqlFunction> overloads(String name) {
    return switch (name) {
      case "now", "current_timeuuid", "currenttimeuuid" ->
          List.of(ofNothing(name, TIMEUUID, TimeFunctions::now));
      case "uuid" -> List.of(ofNothing(name, UUID, TimeFunctions::uuid));
      case "current_timestamp", "currenttimestamp" ->
          List.of(ofNothing(name, TIMESTAMP, TimeFunctions::currentTimestamp));
      case "current_date", "currentdate" ->
          List.of(ofNothing(name, DATE, TimeFunctions::currentDate));
      case "current_time", "currenttime" ->
          List.of(ofNothing(name, TIME, TimeFunctions::currentTime));
      case "min_timeuuid", "mintimeuuid" ->
          List.of(ScalarFunction.ofValues(name, TIMESTAMP, TIMEUUID, TimeFunctions::minTimeUuid));
      case "max_timeuuid", "maxtimeuuid" ->
          List.of(ScalarFunction.ofValues(name, TIMESTAMP, TIMEUUID, TimeFunctions::maxTimeUuid));
      case "to_date", "todate" ->
          List.of(converting(name, TIMESTAMP, DATE), converting(name, TIMEUUID, DATE));
      case "to_timestamp", "totimestamp" ->
          List.of(converting(name, DATE, TIMESTAMP), converting(name, TIMEUUID, TIMESTAMP));
      case "to_unix_timestamp", "tounixtimestamp" ->
          List.of(
              converting(name, TIMEUUID, BIGINT),
              converting(name, TIMESTAMP, BIGINT),
              converting(name, DATE, BIGINT));
      default -> List.of();
    };
  }

  private static ScalarFunction ofNothing(
      String name, CqlType returnType, ScalarFunction.Body body) {
    return new ScalarFunction(name, List.of(), returnType, false, body);
  }

  /** A conversion between timeuuid, timestamp and date, also for casts. */
  static ScalarFunction converting(String name, CqlType from, CqlType to) {
    return ScalarFunction.ofValues(
        name,
        from,
        to,
        (arguments, context, out) -> {
          if (arguments.length(0) == 0) {
            return false;
          }
          long millis = millis(from, arguments);
          if (to == DATE) {
            out.putInt((int) daysOf(millis) ^ Integer.MIN_VALUE);
          } else {
            out.putLong(millis);
          }
          return true;
        });
  }

  /** Days as Cassandra counts them: seconds rounded down, days truncated towards zero. */
  private static long daysOf(long millis) {
    return Math.floorDiv(millis, 1000) / SECONDS_PER_DAY;
  }

  private static long millis(CqlType from, FunctionArguments arguments) {
    if (from == DATE) {
      return (long) (arguments.getInt(0) ^ Integer.MIN_VALUE) * MILLIS_PER_DAY;
    }
    long eight = Bytes.getLong(arguments.segment(0), arguments.offset(0));
    return from == TIMEUUID ? FunctionContext.millisOf(eight) : eight;
  }

  private static boolean now(FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    context.putTimeUuid(out);
    return true;
  }

  private static boolean uuid(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    context.putRandomUuid(out);
    return true;
  }

  private static boolean currentTimestamp(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    out.putLong(context.wallMillis());
    return true;
  }

  private static boolean currentDate(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    out.putInt((int) Math.floorDiv(context.wallMillis(), MILLIS_PER_DAY) ^ Integer.MIN_VALUE);
    return true;
  }

  private static boolean currentTime(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    out.putLong(Math.floorMod(context.wallMicros(), MILLIS_PER_DAY * 1000) * 1000);
    return true;
  }

  private static boolean minTimeUuid(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    return boundary(arguments, 0, MIN_LOW_HALF, out);
  }

  private static boolean maxTimeUuid(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    return boundary(arguments, 9_999, MAX_LOW_HALF, out);
  }

  private static boolean boundary(
      FunctionArguments arguments, long extraUnits, long lowHalf, ByteWriter out) {
    if (arguments.length(0) == 0) {
      return false;
    }
    long time = arguments.getLong(0) * 10_000 + FunctionContext.UUID_EPOCH_OFFSET + extraUnits;
    out.putLong(FunctionContext.timeUuidHighHalf(time)).putLong(lowHalf);
    return true;
  }
}
