package io.helenus.server.advice;

import java.util.Locale;

/**
 * How a partition grows at a rate: what it holds after a while, and when it passes the sizes up to
 * which compactions and repairs are cheap. Immutable.
 *
 * @param rowsADay written to one partition
 * @param rowBytes of a row
 * @param rowCells of a row
 */
public record Growth(double rowsADay, int rowBytes, int rowCells) {
  /** The size of a partition that should not be passed. */
  public static final long MOST_BYTES = 100_000_000;

  /** The cells of a partition that should not be passed. */
  public static final long MOST_CELLS = 100_000;

  private static final double ENOUGH_DAYS = 36_500;

  /** The days after which a partition passes either limit. */
  public double daysToLimit() {
    return Math.min(daysToBytes(), daysToCells());
  }

  /** The days after which it passes the limit of bytes. */
  public double daysToBytes() {
    return MOST_BYTES / (rowsADay * rowBytes);
  }

  /** The days after which it passes the limit of cells. */
  public double daysToCells() {
    return MOST_CELLS / (rowsADay * rowCells);
  }

  /** The bytes after some days. */
  public double bytesAfter(double days) {
    return rowsADay * rowBytes * days;
  }

  /** A number of days as people say it: {@code 14 hours, 9 days, 3 years}. */
  public static String duration(double days) {
    if (days * 24 < 1) {
      return count(days * 24 * 60, "minute");
    }
    if (days < 2) {
      return count(days * 24, "hour");
    }
    if (days < 60) {
      return count(days, "day");
    }
    if (days < 730) {
      return count(days / 30.4, "month");
    }
    return days < ENOUGH_DAYS ? count(days / 365.25, "year") : "more than a century";
  }

  private static String count(double value, String unit) {
    long rounded = Math.max(1, Math.round(value));
    return rounded + " " + unit + (rounded == 1 ? "" : "s");
  }

  /** A size as people say it: {@code 17 MB}. */
  public static String size(double bytes) {
    String[] units = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    double value = bytes;
    while (value >= 1_000 && unit < units.length - 1) {
      value /= 1_000;
      unit++;
    }
    String digits = value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, digits, value, units[unit]);
  }
}
