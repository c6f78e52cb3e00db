package io.helenus.server.schema;

import io.helenus.server.error.CqlException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code speculative_retry} and {@code additional_write_policy}: ALWAYS, NEVER, NONE, {@code
 * 99p}, {@code 99percentile}, {@code 50ms}, {@code MIN(99p,50ms)}, {@code MAX(…)}; returns the
 * canonical form. Stateless.
 */
final class SpeculativeRetry {
  private static final String OPTION = "speculative_retry";
  private static final BigDecimal LONGEST_MILLIS = BigDecimal.valueOf(Integer.MAX_VALUE);

  private SpeculativeRetry() {}

  static String canonical(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    switch (upper) {
      case "ALWAYS" -> {
        return "ALWAYS";
      }
      case "NEVER", "NONE" -> {
        return "NEVER";
      }
      default -> {
        // Anything else is a number with a unit, or MIN or MAX of two of them.
      }
    }
    if ((upper.startsWith("MIN(") || upper.startsWith("MAX(")) && upper.endsWith(")")) {
      return both(text, upper);
    }
    String percentile = percentile(upper);
    if (percentile != null) {
      if (!isPercentile(upper)) {
        throw CqlException.configuration(
            "Invalid value "
                + text
                + " for PERCENTILE option '"
                + OPTION
                + "': must be between (0.0 and 100.0)");
      }
      return percentile + "p";
    }
    String millis = millis(upper);
    if (millis != null) {
      return millis + "ms";
    }
    throw invalid(text);
  }

  private static String both(String text, String upper) {
    int comma = upper.indexOf(',');
    if (comma < 0) {
      throw invalid(text);
    }
    String first = upper.substring(4, comma).stripTrailing();
    String second = upper.substring(comma + 1, upper.length() - 1).stripLeading();
    String firstPercentile = percentile(first);
    String secondPercentile = percentile(second);
    String firstMillis = millis(first);
    String secondMillis = millis(second);
    if ((firstPercentile == null && firstMillis == null)
        || (secondPercentile == null && secondMillis == null)
        || (firstPercentile != null && !isPercentile(first))
        || (secondPercentile != null && !isPercentile(second))) {
      throw invalid(text);
    }
    if ((firstPercentile == null) == (secondPercentile == null)) {
      throw CqlException.configuration(
          "Invalid value "
              + text
              + " for option '"
              + OPTION
              + "': MIN()/MAX() arguments should be of different types, but both are of type "
              + (firstPercentile == null ? "FIXED" : "PERCENTILE"));
    }
    String percentile = firstPercentile == null ? secondPercentile : firstPercentile;
    String millis = firstPercentile == null ? firstMillis : secondMillis;
    return upper.substring(0, 4) + percentile + "p," + millis + "ms)";
  }

  /** The number before P or PERCENTILE with at most four decimals; null if it is not a number. */
  private static @Nullable String percentile(String upper) {
    BigDecimal value = percentileValue(upper);
    if (value == null) {
      return null;
    }
    BigDecimal rounded = value.setScale(4, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  private static @Nullable BigDecimal percentileValue(String upper) {
    return number(
        upper.endsWith("PERCENTILE")
            ? upper.substring(0, upper.length() - 10)
            : upper.endsWith("P") ? upper.substring(0, upper.length() - 1) : "");
  }

  /** Whether the number is between 0 and 100, before it is rounded. */
  private static boolean isPercentile(String upper) {
    BigDecimal value = percentileValue(upper);
    return value != null && value.signum() > 0 && value.compareTo(BigDecimal.valueOf(100)) < 0;
  }

  /** The integer before MS; null if it is not an integer. */
  private static @Nullable String millis(String upper) {
    BigDecimal value = upper.endsWith("MS") ? number(upper.substring(0, upper.length() - 2)) : null;
    return value == null
        ? null
        : value.min(LONGEST_MILLIS).setScale(0, RoundingMode.DOWN).toPlainString();
  }

  private static @Nullable BigDecimal number(String digits) {
    int dots = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      dots += c == '.' ? 1 : 0;
      if (c != '.' && (c < '0' || c > '9')) {
        return null;
      }
    }
    return dots > 1 || digits.length() == dots ? null : new BigDecimal(digits);
  }

  private static CqlException invalid(String text) {
    return CqlException.configuration("Invalid value " + text + " for option '" + OPTION + "'");
  }
}
