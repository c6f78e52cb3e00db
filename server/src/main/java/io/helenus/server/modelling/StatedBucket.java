package io.helenus.server.modelling;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a column of a partition key divides its partitions, as a comment before the definition of its
 * table states: {@code bucket: shard, 16 values} or {@code bucket: window, 10 days}. Immutable.
 *
 * @param column its name
 * @param values among how many values rows are spread; 1 if they are not
 * @param days for how long a value receives rows; infinite if it does without end
 */
record StatedBucket(String column, int values, double days) {
  /** How a bucket is written. */
  static final String FORM = "-- bucket: shard, 16 values";

  private static final String MARK = "bucket:";
  private static final Pattern GRAMMAR =
      Pattern.compile("(?i)(\"[^\"]+\"|\\w+),\\s*(\\d{1,9})\\s+([a-z]+?)s?\\.?");
  private static final Map<String, Double> DAYS =
      Map.of(
          "minute", 1 / 1440.0,
          "hour", 1 / 24.0,
          "day", 1.0,
          "week", 7.0,
          "month", 31.0,
          "year", 366.0);

  /** Whether a comment states a bucket, rightly or not. */
  static boolean isBucket(String comment) {
    return comment.toLowerCase(Locale.ROOT).startsWith(MARK);
  }

  /** Reads a comment that states a bucket; null if it is not written as {@link #FORM} is. */
  static @Nullable StatedBucket parse(String comment) {
    Matcher matcher = GRAMMAR.matcher(comment.substring(MARK.length()).strip());
    if (!matcher.matches()) {
      return null;
    }
    String name = matcher.group(1);
    String column =
        name.startsWith("\"")
            ? name.substring(1, name.length() - 1)
            : name.toLowerCase(Locale.ROOT);
    int number = Integer.parseInt(matcher.group(2));
    String unit = matcher.group(3).toLowerCase(Locale.ROOT);
    Double days = DAYS.get(unit);
    if (number == 0 || (days == null && !unit.equals("value"))) {
      return null;
    }
    return days == null
        ? new StatedBucket(column, number, Double.POSITIVE_INFINITY)
        : new StatedBucket(column, 1, number * days);
  }
}
