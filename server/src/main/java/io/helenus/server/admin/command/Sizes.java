package io.helenus.server.admin.command;

import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Sizes as Cassandra's nodetool prints them. Stateless. */
final class Sizes {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Sizes() {}

  /** {@code 275.54 KiB}, {@code 12 bytes}. */
  static String spaced(long bytes) {
    int unit = unit(bytes);
    return unit < 0 ? bytes + " bytes" : decimal("0.##", scaled(bytes, unit)) + " " + UNITS[unit];
  }

  /** {@code 6.717KiB}, {@code 12B}. */
  static String dense(long bytes) {
    int unit = unit(bytes);
    return unit < 0
        ? bytes + "B"
        : String.format(Locale.ROOT, "%.3f%s", scaled(bytes, unit), UNITS[unit]);
  }

  /** A number formatted with a {@link DecimalFormat} pattern. */
  static String decimal(String pattern, double number) {
    DecimalFormat format =
        new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    format.setRoundingMode(RoundingMode.HALF_EVEN);
    return format.format(number);
  }

  /** The index of the largest unit that does not exceed the size; -1 for bytes. */
  private static int unit(long bytes) {
    int unit = -1;
    for (long rest = bytes; rest >= 1024 && unit + 1 < UNITS.length; rest >>= 10) {
      unit++;
    }
    return unit;
  }

  private static double scaled(long bytes, int unit) {
    return bytes / (double) (1L << 10 * (unit + 1));
  }
}
