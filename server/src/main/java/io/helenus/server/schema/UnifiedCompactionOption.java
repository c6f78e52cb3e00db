package io.helenus.server.schema;

import io.helenus.server.error.CqlException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks and removes the options specific to UnifiedCompactionStrategy. Stateless. */
final class UnifiedCompactionOption {
  private static final long MEBIBYTE = 1 << 20;
  private static final long DEFAULT_TARGET = 1 << 30;
  private static final String TARGET = "target_sstable_size";
  private static final String UNITS = " KMGTPE";

  private UnifiedCompactionOption() {}

  static void validate(Map<String, String> rest) {
    String scaling = rest.remove("scaling_parameters");
    if (scaling != null) {
      int start = 0;
      // empty parameters at the end are ignored, as in Cassandra
      int length = scaling.length();
      while (length > 0 && scaling.charAt(length - 1) == ',') {
        length--;
      }
      while (start <= length && (length > 0 || scaling.isEmpty())) {
        int comma = scaling.indexOf(',', start);
        int end = comma < 0 || comma > length ? length : comma;
        validateScaling(scaling.substring(start, end).strip());
        start = end + 1;
      }
    }
    Integer shards = CompactionOption.integer(rest, "base_shard_count");
    if (shards != null && shards <= 0) {
      throw CqlException.configuration(
          "Invalid configuration, base_shard_count should be positive: " + shards);
    }
    String target = rest.remove(TARGET);
    validateSize(target, TARGET);
    validateSize(rest.remove("flush_size_override"), "flush_size_override");
    validateMinimum(rest.remove("min_sstable_size"), target);
    CompactionOption.integer(rest, "max_sstables_to_compact");
    validateFrequency(rest.remove("expired_sstable_check_frequency_seconds"));
    validateGrowth(rest.remove("sstable_growth"));
    String unsafe = rest.remove("unsafe_aggressive_sstable_expiration");
    if (CompactionOption.isNeither(unsafe)) {
      throw CqlException.configuration(
          "unsafe_aggressive_sstable_expiration should either be 'true' or 'false', not " + unsafe);
    }
    String overlap = rest.remove("overlap_inclusion_method");
    if (overlap != null
        && !List.of("NONE", "SINGLE", "TRANSITIVE").contains(overlap.toUpperCase(Locale.ROOT))) {
      throw CqlException.configuration(
          "Invalid overlap inclusion method "
              + overlap
              + ". The valid options are [NONE, SINGLE, TRANSITIVE].");
    }
  }

  /** Accepts N, L or T with a fan factor, or a signed number. */
  private static void validateScaling(String parameter) {
    if (parameter.equals("N")) {
      return;
    }
    boolean fan = parameter.startsWith("L") || parameter.startsWith("T");
    String digits =
        fan || parameter.startsWith("+") || parameter.startsWith("-")
            ? parameter.substring(1)
            : parameter;
    if (digits.isEmpty() || !digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
      throw CqlException.configuration(
          "Scaling parameter " + parameter + " must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+");
    }
    int value;
    try {
      value = Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(
          "The number in scaling parameter " + parameter + " must be at most " + Integer.MAX_VALUE);
    }
    if (fan && value < 2) {
      throw CqlException.configuration("Fan factor cannot be lower than 2 in " + parameter);
    }
  }

  private static void validateSize(@Nullable String text, String name) {
    if (text == null) {
      return;
    }
    double size;
    try {
      size = SizeText.bytes(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(
          name + " " + text + " is not a valid size in bytes: " + e.getMessage());
    }
    if (size >= Long.MAX_VALUE && name.equals(TARGET)) {
      throw CqlException.configuration(name + " " + text + " is out of range of Long.");
    }
    if (!(size >= MEBIBYTE)) {
      throw CqlException.configuration(
          name + " " + text + " is not acceptable, size must be at least 1.000MiB");
    }
  }

  private static void validateMinimum(@Nullable String text, @Nullable String target) {
    if (text == null) {
      return;
    }
    long size;
    try {
      size = (long) SizeText.bytes(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(text + " is not a valid size in bytes for min_sstable_size");
    }
    if (size < 0) {
      throw CqlException.configuration(
          "Invalid configuration, min_sstable_size should be greater than or equal to 0 (zero)");
    }
    long targetSize = target == null ? DEFAULT_TARGET : (long) SizeText.bytes(target);
    if (size >= targetSize * Math.sqrt(0.5)) {
      throw CqlException.configuration(
          "Invalid configuration, min_sstable_size ("
              + inUnits(size)
              + ") should be less than 70% of the targetSSTableSize ("
              + inUnits(targetSize)
              + ")");
    }
  }

  private static String inUnits(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.3f", value)
        + (unit == 0 ? "" : UNITS.charAt(unit) + "i")
        + "B";
  }

  private static void validateFrequency(@Nullable String text) {
    if (text == null) {
      return;
    }
    long seconds;
    try {
      seconds = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(
          text + " is not a parsable long (base10) for expired_sstable_check_frequency_seconds");
    }
    if (seconds <= 0) {
      throw CqlException.configuration(
          "Invalid configuration, expired_sstable_check_frequency_seconds should be positive: "
              + seconds);
    }
  }

  private static void validateGrowth(@Nullable String text) {
    if (text == null) {
      return;
    }
    double growth;
    try {
      growth =
          text.endsWith("%")
              ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
              : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(
          "sstable_growth is not a valid number between 0 and 1: " + e.getMessage());
    }
    if (!(growth >= 0 && growth <= 1)) {
      throw CqlException.configuration("sstable_growth " + text + " must be between 0 and 1");
    }
  }
}
