package io.helenus.server.schema;

import io.helenus.cql.ast.Properties;
import io.helenus.server.config.GuardrailSettings;
import io.helenus.server.error.CqlException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the WITH clause of CREATE TABLE and ALTER TABLE into {@link TableOptions}, with Cassandra's
 * checks, in its order and with its texts. One statement.
 */
final class TableOptionsReader {
  private static final double SMALLEST_BLOOM_CHANCE = 6.71e-5;

  /** Marks an unset option; the compaction strategy's default is used. */
  private static final double NO_BLOOM_CHANCE = -1;

  private static final int LARGEST_TTL_SECONDS = 20 * 365 * 24 * 60 * 60;

  private static final Pattern BLOB = Pattern.compile("0[xX](?:[0-9a-fA-F]{2})*");

  /** The names of all options. */
  static final Set<String> KNOWN = Set.copyOf(GuardrailSettings.TABLE_OPTIONS);

  private final PropertyReader properties;

  TableOptionsReader(Properties properties) {
    this.properties = new PropertyReader(properties);
  }

  /**
   * Rejects values that cannot be parsed, before any other check of the statement; returns the
   * options that a new table would have.
   */
  TableOptions requireReadable() {
    return parse(TableOptions.defaults());
  }

  /** Reads the options of a new table. */
  TableOptions readNew() {
    TableOptions options = read(TableOptions.defaults());
    if (properties.has("bloom_filter_fp_chance")) {
      return options;
    }
    double chance = CompactionOption.defaultBloomFilterChance(options.compaction());
    return options.toBuilder().bloomFilterFalsePositiveChance(chance).build();
  }

  /**
   * Applies the properties to a table's existing options. As in Cassandra, they are validated
   * against each other and the defaults, not against the existing options.
   */
  TableOptions read(TableOptions before) {
    TableOptions read = parse(before);
    properties.requireOnly(KNOWN);
    validate(parse(TableOptions.defaults()));
    return read;
  }

  private TableOptions parse(TableOptions before) {
    TableOptionsBuilder options = before.toBuilder();
    options.allowAutoSnapshot = properties.flag("allow_auto_snapshot", before.allowAutoSnapshot());
    options.bloomFilterFalsePositiveChance =
        properties.number("bloom_filter_fp_chance", before.bloomFilterFalsePositiveChance());
    readMaps(options);
    if (options.bloomFilterFalsePositiveChance == NO_BLOOM_CHANCE) {
      options.bloomFilterFalsePositiveChance =
          CompactionOption.defaultBloomFilterChance(options.compaction);
    }
    options.memtable = memtable(properties.text("memtable", before.memtable()));
    readNumbers(options);
    if (properties.has("speculative_retry")) {
      options.speculativeRetry =
          SpeculativeRetry.canonical(properties.text("speculative_retry", ""));
    }
    if (properties.has("additional_write_policy")) {
      options.additionalWritePolicy =
          SpeculativeRetry.canonical(properties.text("additional_write_policy", ""));
    }
    options.crcCheckChance = properties.number("crc_check_chance", before.crcCheckChance());
    options.cdc = properties.flag("cdc", before.cdc());
    options.readRepair = readRepair(properties.text("read_repair", before.readRepair()));
    return options.build();
  }

  private void readMaps(TableOptionsBuilder options) {
    Map<String, String> caching = properties.map("caching");
    if (caching != null) {
      options.caching = CachingOption.resolve(caching);
    }
    options.comment = properties.text("comment", options.comment);
    Map<String, String> compaction = properties.map("compaction");
    if (compaction != null) {
      options.compaction = CompactionOption.resolve(compaction);
    }
    Map<String, String> compression = properties.map("compression");
    if (compression != null) {
      options.compression = CompressionOption.resolve(compression);
    }
    Map<String, String> extensions = properties.mapIfAny("extensions");
    if (extensions != null) {
      options.extensions = extensions(extensions);
    }
  }

  /** The one that Helenus knows; CQL has no effect on others, as in Cassandra. */
  private static SortedMap<String, String> extensions(Map<String, String> given) {
    TreeMap<String, String> known = new TreeMap<>();
    String advice = given.get(TableOptions.SCHEMA_ADVICE);
    if (advice != null) {
      known.put(TableOptions.SCHEMA_ADVICE, hex(advice));
    }
    return known;
  }

  /** The bytes of a blob, or of a text in UTF-8. */
  private static String hex(String constant) {
    return BLOB.matcher(constant).matches()
        ? constant.substring(2).toLowerCase(Locale.ROOT)
        : HexFormat.of().formatHex(constant.getBytes(StandardCharsets.UTF_8));
  }

  private void readNumbers(TableOptionsBuilder options) {
    options.defaultTimeToLiveSeconds =
        properties.integer("default_time_to_live", options.defaultTimeToLiveSeconds);
    options.gcGraceSeconds = properties.integer("gc_grace_seconds", options.gcGraceSeconds);
    options.incrementalBackups = properties.flag("incremental_backups", options.incrementalBackups);
    options.maxIndexInterval = properties.integer("max_index_interval", options.maxIndexInterval);
    options.memtableFlushPeriodMillis =
        properties.integer("memtable_flush_period_in_ms", options.memtableFlushPeriodMillis);
    options.minIndexInterval = properties.integer("min_index_interval", options.minIndexInterval);
  }

  private static String memtable(String name) {
    if (!name.equals("default")) {
      throw CqlException.configuration("Memtable configuration \"" + name + "\" not found.");
    }
    return name;
  }

  private static String readRepair(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (!upper.equals("BLOCKING") && !upper.equals("NONE")) {
      throw CqlException.configuration(
          "Invalid value " + text + " for option 'read_repair': it is either BLOCKING or NONE");
    }
    return upper;
  }

  private static void validate(TableOptions options) {
    if (options.cdc()) {
      throw CqlException.invalid(
          "Change data capture (cdc = true) is not supported by this version of Helenus");
    }
    CompactionOption.validate(options.compaction());
    double bloom = options.bloomFilterFalsePositiveChance();
    if (!(bloom > SMALLEST_BLOOM_CHANCE && bloom <= 1)) {
      throw CqlException.configuration(
          "bloom_filter_fp_chance must be larger than "
              + SMALLEST_BLOOM_CHANCE
              + " and less than or equal to 1.0 (got "
              + bloom
              + ")");
    }
    double crc = options.crcCheckChance();
    if (!(crc >= 0 && crc <= 1)) {
      throw CqlException.configuration(
          "crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0"
              + " (got "
              + crc
              + ")");
    }
    atLeast("default_time_to_live", options.defaultTimeToLiveSeconds(), 0);
    if (options.defaultTimeToLiveSeconds() > LARGEST_TTL_SECONDS) {
      throw CqlException.configuration(
          "default_time_to_live must be less than or equal to "
              + LARGEST_TTL_SECONDS
              + " (got "
              + options.defaultTimeToLiveSeconds()
              + ")");
    }
    atLeast("gc_grace_seconds", options.gcGraceSeconds(), 0);
    atLeast("min_index_interval", options.minIndexInterval(), 1);
    if (options.maxIndexInterval() < options.minIndexInterval()) {
      throw CqlException.configuration(
          "max_index_interval must be greater than or equal to min_index_interval ("
              + options.minIndexInterval()
              + ") (got "
              + options.maxIndexInterval()
              + ")");
    }
    atLeast("memtable_flush_period_in_ms", options.memtableFlushPeriodMillis(), 0);
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw CqlException.configuration(
          name + " must be greater than or equal to " + least + " (got " + value + ")");
    }
  }

  /** The table id given in the WITH clause; null if none is given. */
  @Nullable UUID id() {
    if (!properties.has("id")) {
      return null;
    }
    try {
      return UUID.fromString(properties.text("id", ""));
    } catch (IllegalArgumentException e) {
      throw CqlException.configuration("Invalid table id");
    }
  }
}
