package io.helenus.server.schema;

import io.helenus.server.error.CqlException;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code compaction} option. All of Cassandra's strategies are accepted and stored, but
 * storage always uses size-tiered compaction. One option; consumes its sub-options.
 */
final class CompactionOption {
  private static final int LEVELS = 8;
  private static final String PACKAGE = "org.apache.cassandra.db.compaction.";
  private static final String UNIFIED = "UnifiedCompactionStrategy";
  private static final List<String> NAMES =
      List.of(
          "SizeTieredCompactionStrategy",
          "LeveledCompactionStrategy",
          "TimeWindowCompactionStrategy",
          UNIFIED);

  private final TreeMap<String, String> rest;

  /** The default false positive chance of a new table's bloom filters. */
  static double defaultBloomFilterChance(SortedMap<String, String> compaction) {
    return (PACKAGE + "LeveledCompactionStrategy").equals(compaction.get("class")) ? 0.1 : 0.01;
  }

  private CompactionOption(TreeMap<String, String> rest) {
    this.rest = rest;
  }

  /** The option with its class and defaults; rejects unknown classes only. */
  static SortedMap<String, String> resolve(Map<String, String> given) {
    TreeMap<String, String> resolved = new TreeMap<>(given);
    String name = resolved.remove("class");
    if (name == null) {
      throw CqlException.configuration("Missing sub-option 'class' for the 'compaction' option");
    }
    String full = name.indexOf('.') < 0 ? PACKAGE + name : name;
    String simple = full.startsWith(PACKAGE) ? full.substring(PACKAGE.length()) : "";
    if (!NAMES.contains(simple)) {
      throw CqlException.configuration("Unable to find compaction strategy class '" + full + "'");
    }
    if (!simple.equals(UNIFIED)) {
      resolved.putIfAbsent("min_threshold", "4");
      resolved.putIfAbsent("max_threshold", "32");
    }
    resolved.put("class", full);
    return resolved;
  }

  /** Rejects invalid values of a resolved option. */
  static void validate(SortedMap<String, String> resolved) {
    TreeMap<String, String> rest = new TreeMap<>(resolved);
    String full = Objects.requireNonNull(rest.remove("class"));
    String simple = full.substring(PACKAGE.length());
    new CompactionOption(rest).validate(simple);
    if (!simple.equals(UNIFIED)) {
      validateThresholds(resolved);
    }
  }

  /**
   * Reads the options common to all strategies, then those of the strategy, and rejects the rest.
   */
  private void validate(String strategy) {
    if (strategy.equals("LeveledCompactionStrategy")) {
      validateLeveled();
    } else if (strategy.equals("TimeWindowCompactionStrategy")) {
      validateTimeWindow();
    } else if (strategy.equals(UNIFIED)) {
      UnifiedCompactionOption.validate(rest);
    }
    validateCommon();
    if (!strategy.equals(UNIFIED)) {
      validateSizeTiered();
      rest.remove("min_threshold");
      rest.remove("max_threshold");
    }
    if (!rest.isEmpty()) {
      throw CqlException.configuration(
          "Properties specified " + rest.keySet() + " are not understood by " + strategy);
    }
  }

  private void validateCommon() {
    String threshold = rest.remove("tombstone_threshold");
    if (threshold != null) {
      float value;
      try {
        value = Float.parseFloat(threshold);
      } catch (NumberFormatException e) {
        throw notAnInt(threshold, "tombstone_threshold");
      }
      if (value < 0) {
        throw CqlException.configuration(
            String.format(
                Locale.ROOT, "tombstone_threshold must be greater than 0, but was %f", value));
      }
    }
    Long interval = wholeNumber("tombstone_compaction_interval");
    if (interval != null && interval < 0) {
      throw CqlException.configuration(
          "tombstone_compaction_interval must be greater than 0, but was " + interval);
    }
    String unchecked = rest.remove("unchecked_tombstone_compaction");
    if (isNeither(unchecked)) {
      throw CqlException.configuration(
          "'unchecked_tombstone_compaction' should be either 'true' or 'false', not '"
              + unchecked
              + "'");
    }
    String logAll = rest.remove("log_all");
    if (isNeither(logAll)) {
      throw CqlException.configuration(
          "'log_all' should either be 'true' or 'false', not " + logAll);
    }
    String enabled = rest.remove("enabled");
    if (isNeither(enabled)) {
      throw CqlException.configuration(
          "enabled should either be 'true' or 'false', not " + enabled);
    }
    rest.remove("only_purge_repaired_tombstones");
    String overlapping = rest.remove("provide_overlapping_tombstones");
    if (overlapping != null) {
      String upper = overlapping.toUpperCase(Locale.ROOT);
      if (!List.of("NONE", "ROW", "CELL").contains(upper)) {
        throw CqlException.configuration(
            "Invalid value "
                + upper
                + " for 'provide_overlapping_tombstones' compaction sub-option - must be one of"
                + " the following [NONE, ROW, CELL].");
      }
    }
  }

  private void validateSizeTiered() {
    Long size = wholeNumber("min_sstable_size");
    if (size != null && size < 0) {
      throw CqlException.configuration("min_sstable_size must be non negative: " + size);
    }
    double low = number("bucket_low", 0.5);
    double high = number("bucket_high", 1.5);
    if (high <= low) {
      throw CqlException.configuration(
          "bucket_high value ("
              + high
              + ") is less than or equal to the bucket_low value ("
              + low
              + ")");
    }
  }

  private void validateLeveled() {
    long size = positive("sstable_size_in_mb", 1);
    long fanout = positive("fanout_size", 10);
    BigInteger largest =
        BigInteger.valueOf(fanout).pow(LEVELS).multiply(BigInteger.valueOf(size << 20));
    if (largest.bitLength() >= Long.SIZE) {
      throw CqlException.configuration(
          "At most "
              + Long.MAX_VALUE
              + " bytes may be in a compaction level; your maxSSTableSize must be absurdly high to"
              + " compute "
              + largest);
    }
    rest.remove("single_sstable_uplevel");
  }

  private long positive(String name, long fallback) {
    Integer value = integer(rest, name);
    if (value == null) {
      return fallback;
    }
    if (value < 1) {
      throw CqlException.configuration(name + " must be larger than 0, but was " + value);
    }
    return value;
  }

  private void validateTimeWindow() {
    String resolution = rest.remove("timestamp_resolution");
    if (resolution != null
        && !List.of("SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS")
            .contains(resolution)) {
      throw CqlException.configuration(resolution + " is not valid for timestamp_resolution");
    }
    String unit = rest.remove("compaction_window_unit");
    if (unit != null && !List.of("MINUTES", "HOURS", "DAYS").contains(unit)) {
      throw CqlException.configuration(unit + " is not valid for compaction_window_unit");
    }
    Integer window = integer(rest, "compaction_window_size");
    if (window != null && window < 1) {
      throw CqlException.configuration(
          window + " must be greater than 1 for compaction_window_size");
    }
    Long frequency = wholeNumber("expired_sstable_check_frequency_seconds");
    if (frequency != null && frequency < 0) {
      throw CqlException.configuration(
          "expired_sstable_check_frequency_seconds must not be negative, but was " + frequency);
    }
    String unsafe = rest.remove("unsafe_aggressive_sstable_expiration");
    if (isNeither(unsafe)) {
      throw CqlException.configuration(
          "unsafe_aggressive_sstable_expiration is not 'true' or 'false' (" + unsafe + ")");
    }
    if ("true".equalsIgnoreCase(unsafe)) {
      throw CqlException.configuration(
          "unsafe_aggressive_sstable_expiration is requested but not allowed, restart cassandra"
              + " with -Dcassandra.allow_unsafe_aggressive_sstable_expiration=true to allow it");
    }
  }

  private static void validateThresholds(SortedMap<String, String> options) {
    long min = threshold(options, "min_threshold");
    long max = threshold(options, "max_threshold");
    if (min == 0 || max == 0) {
      throw CqlException.configuration(
          "Disabling compaction by setting compaction thresholds to 0 has been removed, set the"
              + " compaction option 'enabled' to false instead.");
    }
    if (min <= 1) {
      throw CqlException.configuration(
          "Min compaction threshold cannot be less than 2 (got " + min + ")");
    }
    if (min > max) {
      throw CqlException.configuration(
          "Min compaction threshold (got "
              + min
              + ") cannot be greater than max compaction threshold (got "
              + max
              + ")");
    }
  }

  private static int threshold(SortedMap<String, String> options, String name) {
    String text = options.getOrDefault(name, "");
    try {
      if (!text.startsWith("-") && !text.startsWith("+")) {
        return Integer.parseInt(text);
      }
    } catch (NumberFormatException e) {
      // Reported below with the text.
    }
    throw CqlException.configuration(
        "Invalid value " + text + " for '" + name + "' compaction sub-option - must be an integer");
  }

  private @Nullable Long wholeNumber(String name) {
    return wholeNumber(rest, name);
  }

  private static @Nullable Long wholeNumber(Map<String, String> options, String name) {
    String text = options.remove(name);
    if (text == null) {
      return null;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw notAnInt(text, name);
    }
  }

  /** Removes the value of an option that is an int. */
  static @Nullable Integer integer(Map<String, String> options, String name) {
    Long value = wholeNumber(options, name);
    if (value != null && value != value.intValue()) {
      throw notAnInt(Long.toString(value), name);
    }
    return value == null ? null : value.intValue();
  }

  private double number(String name, double fallback) {
    String text = rest.remove(name);
    if (text == null) {
      return fallback;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(text + " is not a parsable float for " + name);
    }
  }

  private static CqlException notAnInt(String text, String name) {
    return CqlException.configuration(text + " is not a parsable int (base10) for " + name);
  }

  static boolean isNeither(@Nullable String text) {
    return text != null && !text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false");
  }
}
