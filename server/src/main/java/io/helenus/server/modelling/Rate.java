package io.helenus.server.modelling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many rows a table receives, as a comment before its definition states: {@code rate: 200/day
 * per user_id, rows of 1 KB}. Immutable.
 *
 * @param text as written, without {@code rate:}
 * @param rowsADay for each value of the columns
 * @param per the columns
 * @param rowBytes the stated size of a row; 0 if none is
 */
public record Rate(String text, double rowsADay, List<String> per, int rowBytes) {
  /** How a rate is written. */
  static final String FORM = "-- rate: 200/day per user_id, rows of 1 KB";

  private static final String MARK = "rate:";
  private static final Pattern GRAMMAR =
      Pattern.compile(
          "(?i)([\\d_]+(?:\\.\\d+)?)\\s*([kM])?(?:\\s+\\w+)?\\s*(?:/|\\s+(?:an?|per)\\s)\\s*([a-z]+)\\s+per\\s+(.+?)(?:,\\s*rows"
              + " of\\s+([\\d_]+(?:\\.\\d+)?)\\s*(bytes?|[KM]?B))?\\.?");
  private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*|\\s+and\\s+");
  private static final Pattern NAME = Pattern.compile("\"([^\"]+)\"|\\w+");
  private static final Map<String, Double> A_DAY =
      Map.ofEntries(
          Map.entry("s", 86_400.0),
          Map.entry("sec", 86_400.0),
          Map.entry("second", 86_400.0),
          Map.entry("min", 1_440.0),
          Map.entry("minute", 1_440.0),
          Map.entry("h", 24.0),
          Map.entry("hour", 24.0),
          Map.entry("day", 1.0),
          Map.entry("week", 1.0 / 7),
          Map.entry("month", 12 / 365.25),
          Map.entry("year", 1 / 365.25));

  /** Copies the list. */
  public Rate {
    per = List.copyOf(per);
  }

  /** Whether a comment states a rate, rightly or not. */
  static boolean isRate(String comment) {
    return comment.toLowerCase(Locale.ROOT).startsWith(MARK);
  }

  /** Reads a comment that states a rate; null if it is not written as {@link #FORM} is. */
  static @Nullable Rate parse(String comment) {
    String text = comment.substring(MARK.length()).strip();
    Matcher matcher = GRAMMAR.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    Double times = A_DAY.get(matcher.group(3).toLowerCase(Locale.ROOT));
    List<String> per = names(matcher.group(4));
    double rows = number(matcher.group(1));
    String thousands = matcher.group(2);
    if (thousands != null) {
      rows *= thousands.equalsIgnoreCase("k") ? 1_000 : 1_000_000;
    }
    double bytes = matcher.group(5) == null ? 0 : number(matcher.group(5));
    if (matcher.group(6) != null) {
      bytes *= unit(matcher.group(6).toUpperCase(Locale.ROOT));
    }
    if (times == null || per.isEmpty() || rows <= 0 || bytes > Integer.MAX_VALUE) {
      return null;
    }
    return new Rate(text, rows * times, per, (int) Math.ceil(bytes));
  }

  private static double number(String digits) {
    return Double.parseDouble(digits.replace("_", ""));
  }

  private static double unit(String name) {
    return switch (name) {
      case "KB" -> 1_000;
      case "MB" -> 1_000_000;
      default -> 1;
    };
  }

  /** Names with commas or "and" between them, perhaps in parentheses; empty if they are not. */
  private static List<String> names(String list) {
    String inner = list.strip();
    if (inner.startsWith("(") && inner.endsWith(")")) {
      inner = inner.substring(1, inner.length() - 1).strip();
    }
    List<String> names = new ArrayList<>();
    for (String each : SEPARATOR.split(inner, -1)) {
      Matcher name = NAME.matcher(each);
      if (!name.matches()) {
        return List.of();
      }
      names.add(name.group(1) == null ? each.toLowerCase(Locale.ROOT) : name.group(1));
    }
    return names;
  }
}
