package io.helenus.server.config;

/** Parses numbers with units, as in cassandra.yaml: {@code 16MiB}, {@code 10s}. Stateless. */
final class Quantity {
  private static final String[] DURATION_UNITS = {"ms", "us", "µs", "ns", "d", "h", "m", "s"};
  private static final long[] DURATION_NANOS = {
    1_000_000L,
    1_000L,
    1_000L,
    1L,
    86_400_000_000_000L,
    3_600_000_000_000L,
    60_000_000_000L,
    1_000_000_000L
  };
  private static final String[] SIZE_UNITS = {"KiB", "MiB", "GiB", "B"};
  private static final long[] SIZE_BYTES = {1L << 10, 1L << 20, 1L << 30, 1L};

  private Quantity() {}

  /** Nanoseconds, or -1 if the text is not a duration. */
  static long durationNanos(String text) {
    return parse(text, DURATION_UNITS, DURATION_NANOS);
  }

  /** Bytes, or -1 if the text is not a size. */
  static long sizeBytes(String text) {
    return parse(text, SIZE_UNITS, SIZE_BYTES);
  }

  private static long parse(String text, String[] units, long[] factors) {
    for (int i = 0; i < units.length; i++) {
      if (text.endsWith(units[i])) {
        String digits = text.substring(0, text.length() - units[i].length()).strip();
        if (digits.isEmpty()
            || digits.length() > 15
            || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
          return -1;
        }
        long number = Long.parseLong(digits);
        return number > Long.MAX_VALUE / factors[i] ? -1 : number * factors[i];
      }
    }
    return -1;
  }
}
