package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as text, in the four forms of CQL: {@code 1y2mo3w4d5h6m7s8ms9us10ns}, {@code
 * P1Y2M3DT4H5M6S}, {@code P1W} and {@code P0001-02-03T04:05:06}, each with an optional minus sign.
 * Cold path, stateless.
 */
final class DurationText {
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MINUTE = 60 * NANOS_PER_SECOND;
  private static final long NANOS_PER_HOUR = 60 * NANOS_PER_MINUTE;

  private DurationText() {}

  /** The units in their required order. */
  private enum Unit {
    YEARS("y", 12),
    MONTHS("mo", 1),
    WEEKS("w", 7),
    DAYS("d", 1),
    HOURS("h", NANOS_PER_HOUR),
    MINUTES("m", NANOS_PER_MINUTE),
    SECONDS("s", NANOS_PER_SECOND),
    MILLISECONDS("ms", NANOS_PER_MILLI),
    MICROSECONDS("us", NANOS_PER_MICRO),
    NANOSECONDS("ns", 1);

    final String symbol;
    final long size;

    Unit(String symbol, long size) {
      this.symbol = symbol;
      this.size = size;
    }

    String plural() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Initialized when the first duration is parsed. */
  private static final class Forms {
    static final Pattern UNIT =
        Pattern.compile(
            "\\G(\\d+)(y|mo|w|d|h|ms|us|µs|ns|s|m)",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    static final Pattern ISO =
        Pattern.compile("P((\\d+)Y)?((\\d+)M)?((\\d+)D)?(T((\\d+)H)?((\\d+)M)?((\\d+)S)?)?");
    static final Pattern ISO_WEEKS = Pattern.compile("P(\\d+)W");
    static final Pattern ISO_ALTERNATIVE =
        Pattern.compile("P(\\d{4})-(\\d{2})-(\\d{2})T(\\d{2}):(\\d{2}):(\\d{2})");
    static final Unit[] ISO_UNITS = {
      Unit.YEARS, Unit.MONTHS, Unit.DAYS, Unit.HOURS, Unit.MINUTES, Unit.SECONDS
    };
    static final int[] ISO_GROUPS = {2, 4, 6, 9, 11, 13};
  }

  static CqlDuration parse(String text) {
    boolean negative = text.startsWith("-");
    String body = negative ? text.substring(1) : text;
    Sum sum = new Sum(body);
    if (!body.startsWith("P")) {
      addUnits(body, sum);
    } else if (body.endsWith("W")) {
      Matcher weeks = matched(Forms.ISO_WEEKS, body);
      sum.add(Unit.WEEKS, weeks.group(1));
    } else if (body.contains("-")) {
      Matcher alternative = matched(Forms.ISO_ALTERNATIVE, body);
      for (int i = 0; i < Forms.ISO_UNITS.length; i++) {
        sum.add(Forms.ISO_UNITS[i], alternative.group(i + 1));
      }
    } else {
      Matcher iso = matched(Forms.ISO, body);
      for (int i = 0; i < Forms.ISO_UNITS.length; i++) {
        String number = iso.group(Forms.ISO_GROUPS[i]);
        if (number != null) {
          sum.add(Forms.ISO_UNITS[i], number);
        }
      }
    }
    return sum.result(negative);
  }

  private static Matcher matched(Pattern form, String text) {
    Matcher matcher = form.matcher(text);
    if (!matcher.matches()) {
      throw unable(text);
    }
    return matcher;
  }

  private static CqlException unable(String text) {
    return CqlException.invalid("Unable to convert '" + text + "' to a duration");
  }

  private static void addUnits(String text, Sum sum) {
    Matcher matcher = Forms.UNIT.matcher(text);
    int end = 0;
    while (matcher.find()) {
      sum.add(unit(matcher.group(2)), matcher.group(1));
      end = matcher.end();
    }
    if (end == 0 || end != text.length()) {
      throw unable(text);
    }
  }

  private static Unit unit(String symbol) {
    String lower = symbol.toLowerCase(Locale.ROOT);
    for (Unit unit : Unit.values()) {
      if (unit.symbol.equals(lower)) {
        return unit;
      }
    }
    return Unit.MICROSECONDS;
  }

  /** Sums units, which must appear in order and at most once each. */
  private static final class Sum {
    private final String text;
    private int lastUnit = -1;
    private long months;
    private long days;
    private long nanoseconds;

    Sum(String text) {
      this.text = text;
    }

    void add(Unit unit, String digits) {
      if (unit.ordinal() == lastUnit) {
        throw CqlException.invalid(
            "Invalid duration. The " + unit.plural() + " are specified multiple times");
      }
      if (unit.ordinal() < lastUnit) {
        throw CqlException.invalid(
            "Invalid duration. The "
                + Unit.values()[lastUnit].plural()
                + " should be after "
                + unit.plural());
      }
      lastUnit = unit.ordinal();
      long number = number(digits);
      if (unit.ordinal() <= Unit.MONTHS.ordinal()) {
        months = sum(months, number, unit, Integer.MAX_VALUE, "months");
      } else if (unit.ordinal() <= Unit.DAYS.ordinal()) {
        days = sum(days, number, unit, Integer.MAX_VALUE, "days");
      } else {
        nanoseconds = sum(nanoseconds, number, unit, Long.MAX_VALUE, "nanoseconds");
      }
    }

    private long number(String digits) {
      try {
        return Long.parseLong(digits);
      } catch (NumberFormatException e) {
        throw unable(text);
      }
    }

    private static long sum(long before, long number, Unit unit, long limit, String what) {
      if (number > (limit - before) / unit.size) {
        // Cassandra's text quotes this limit for nanoseconds too.
        throw CqlException.invalid(
            "Invalid duration. The total number of "
                + what
                + " must be less or equal to "
                + Integer.MAX_VALUE);
      }
      return before + number * unit.size;
    }

    CqlDuration result(boolean negative) {
      return negative
          ? new CqlDuration((int) -months, (int) -days, -nanoseconds)
          : new CqlDuration((int) months, (int) days, nanoseconds);
    }
  }

  /** Formats a duration in the first form; a zero duration yields an empty string. */
  static String toText(CqlDuration duration) {
    StringBuilder out = new StringBuilder();
    if (duration.months() < 0 || duration.days() < 0 || duration.nanoseconds() < 0) {
      out.append('-');
    }
    long months = Math.abs((long) duration.months());
    append(out, Unit.YEARS, months / 12);
    append(out, Unit.MONTHS, months % 12);
    append(out, Unit.DAYS, Math.abs((long) duration.days()));
    long rest = duration.nanoseconds();
    for (int i = Unit.HOURS.ordinal(); i <= Unit.NANOSECONDS.ordinal(); i++) {
      Unit unit = Unit.values()[i];
      append(out, unit, Math.abs(rest / unit.size));
      rest %= unit.size;
    }
    return out.toString();
  }

  private static void append(StringBuilder out, Unit unit, long number) {
    if (number != 0) {
      out.append(number).append(unit.symbol);
    }
  }
}
