package io.helenus.server.query.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Numbers of a step, by name, in the order in which they are shown. Not thread-safe. */
final class Figures {
  private static final String BYTES = "bytes";
  private static final String MICROS = "micros";
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB"};
  private static final int UNIT = 1000;
  private static final double WITH_FRACTION = 10;

  private final Map<String, Long> values = new LinkedHashMap<>();

  /** Sets a number, whose name is a plural: {@code rows}. */
  Figures with(String name, long value) {
    values.put(name, value);
    return this;
  }

  /** Sets a number of bytes. */
  Figures bytes(long value) {
    return with(BYTES, value);
  }

  /** Sets a time in microseconds. */
  Figures micros(long value) {
    return with(MICROS, value);
  }

  /** The numbers by name. */
  Map<String, Long> values() {
    return values;
  }

  /** All numbers as text: {@code 12 rows, 1.4 KB}. */
  String text() {
    List<String> parts = new ArrayList<>();
    values.forEach((name, value) -> parts.add(text(name, value)));
    return String.join(", ", parts);
  }

  private static String text(String name, long value) {
    return switch (name) {
      case BYTES -> size(value);
      case MICROS ->
          value < UNIT
              ? value + " us"
              : String.format(Locale.ROOT, "%.1f ms", value / (double) UNIT);
      default -> value + " " + (value == 1 ? singular(name) : name);
    };
  }

  private static String singular(String name) {
    return name.equals("entries") ? "entry" : name.substring(0, name.length() - 1);
  }

  /** A size with its unit: {@code 1.4 KB}. */
  static String size(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= UNIT && unit < UNITS.length - 1) {
      value /= UNIT;
      unit++;
    }
    boolean whole = unit == 0 || value >= WITH_FRACTION;
    return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }
}
