package io.helenus.server.schema;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes in the options of UnifiedCompactionStrategy, with the prefixes of units from quecto to
 * quetta: {@code 1.5GiB}, {@code 100 MB}, {@code 3*2^20B}. Stateless.
 */
final class SizeText {
  private static final Pattern NUMBER =
      Pattern.compile("NaN|[+-]?Infinity|[+-]?\\d+(?:\\.\\d+)?(?<exponent>[eE][+-]?\\d+)?");
  private static final Pattern BINARY_EXPONENT = Pattern.compile("\\*2\\^([+-]?\\d+)");
  private static final String PREFIXES = "qryzafpnum KMGTPEZYRQ";
  private static final int NO_PREFIX = PREFIXES.indexOf(' ');

  private SizeText() {}

  /**
   * The size in bytes.
   *
   * @throws NumberFormatException with the reason that Cassandra names, which may be null
   */
  static double bytes(String text) {
    if (!text.endsWith("B")) {
      throw new NumberFormatException(text + " does not end in unit B");
    }
    int end = text.length() - 1;
    Matcher number = NUMBER.matcher(text).region(0, end);
    if (!number.lookingAt()) {
      throw new NumberFormatException();
    }
    double value = Double.parseDouble(number.group());
    int position = number.end();
    Matcher binary = BINARY_EXPONENT.matcher(text).region(position, end);
    if (number.group("exponent") == null && binary.lookingAt()) {
      value = Math.scalb(value, Integer.parseInt(binary.group(1)));
      position = binary.end();
    }
    while (position < end && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    int prefix = position < end ? PREFIXES.indexOf(text.charAt(position)) - NO_PREFIX : -1;
    if (position < end && prefix >= -NO_PREFIX) {
      position++;
      boolean powerOfTwo = position < end && text.charAt(position) == 'i';
      position += powerOfTwo ? 1 : 0;
      value = powerOfTwo ? Math.scalb(value, 10 * prefix) : value * Math.pow(1000, prefix);
    }
    if (position != end) {
      throw new NumberFormatException(
          "Unexpected characters between pos " + position + " and " + end + " in " + text);
    }
    return value;
  }
}
