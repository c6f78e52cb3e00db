package io.helenus.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The keys of Cassandra's guardrails, most of them off by default, and the checks between them. */
public final class GuardrailSettings {
  static final String WARN = "_warn_threshold";
  static final String FAIL = "_fail_threshold";

  /** Keys of earlier versions of Cassandra, with the ones that took their place. */
  static final Map<String, String> FORMER_NAMES =
      Map.of(
          "compaction_large_partition_warning_threshold", "partition_size" + WARN,
          "compaction_tombstone_warning_threshold", "partition_tombstones" + WARN);

  private static final String DISK_USAGE = "data_disk_usage_percentage";
  private static final String INDEX_FILES = "sai_sstable_indexes_per_query";
  private static final String MINIMUM_FACTOR = "minimum_replication_factor";
  private static final String MAXIMUM_FACTOR = "maximum_replication_factor";
  private static final List<String> LEVELS =
      List.of(
          "ANY",
          "ONE",
          "TWO",
          "THREE",
          "QUORUM",
          "ALL",
          "LOCAL_QUORUM",
          "EACH_QUORUM",
          "SERIAL",
          "LOCAL_SERIAL",
          "LOCAL_ONE",
          "NODE_LOCAL");

  /** The names of all table options, which CREATE TABLE accepts too. */
  public static final List<String> TABLE_OPTIONS =
      List.of(
          "additional_write_policy",
          "allow_auto_snapshot",
          "bloom_filter_fp_chance",
          "caching",
          "cdc",
          "comment",
          "compaction",
          "compression",
          "crc_check_chance",
          "default_time_to_live",
          "extensions",
          "gc_grace_seconds",
          "id",
          "incremental_backups",
          "max_index_interval",
          "memtable",
          "memtable_flush_period_in_ms",
          "min_index_interval",
          "read_repair",
          "speculative_retry");

  private GuardrailSettings() {}

  /** Returns all keys, in the order of {@code conf/helenus.yaml}. */
  static List<Setting> all() {
    List<Setting> all = new ArrayList<>();
    thresholds(all, Setting.Kind.NUMBER, "keyspaces", "tables", "columns_per_table");
    thresholds(all, Setting.Kind.NUMBER, "secondary_indexes_per_table");
    thresholds(all, Setting.Kind.NUMBER, "materialized_views_per_table");
    thresholds(all, Setting.Kind.NUMBER, "fields_per_udt", "vector_dimensions");
    thresholds(all, Setting.Kind.NUMBER, MINIMUM_FACTOR, MAXIMUM_FACTOR);
    lists(all, TABLE_OPTIONS, "table_properties", "_warned", "_ignored", "_disallowed");
    thresholds(all, Setting.Kind.NUMBER, "page_size", "partition_keys_in_select");
    thresholds(all, Setting.Kind.NUMBER, "in_select_cartesian_product");
    lists(all, LEVELS, "read_consistency_levels", "_warned", "_disallowed");
    lists(all, LEVELS, "write_consistency_levels", "_warned", "_disallowed");
    thresholds(all, Setting.Kind.SIZE, "column_value_size", "collection_size");
    thresholds(all, Setting.Kind.NUMBER, "items_per_collection");
    thresholds(all, Setting.Kind.SIZE, "sai_string_term_size", "sai_frozen_term_size");
    thresholds(all, Setting.Kind.SIZE, "sai_vector_term_size");
    all.add(new Setting(INDEX_FILES + WARN, Setting.Kind.NUMBER, "32", List.of(), "-1", ""));
    all.add(new Setting(INDEX_FILES + FAIL, Setting.Kind.NUMBER, "-1", List.of(), "-1", ""));
    String size = "partition_size";
    all.add(new Setting(size + WARN, Setting.Kind.SIZE, "100MiB", List.of(), "1B", ""));
    all.add(new Setting(size + FAIL, Setting.Kind.SIZE, "", List.of(), "1B", ""));
    String tombstones = "partition_tombstones";
    all.add(new Setting(tombstones + WARN, Setting.Kind.NUMBER, "100000", List.of(), "-1", ""));
    all.add(new Setting(tombstones + FAIL, Setting.Kind.NUMBER, "-1", List.of(), "-1", ""));
    for (String end : List.of(WARN, FAIL)) {
      all.add(new Setting(DISK_USAGE + end, Setting.Kind.NUMBER, "-1", List.of(), "-1", "100"));
    }
    all.add(
        new Setting("data_disk_usage_max_disk_size", Setting.Kind.SIZE, "", List.of(), "1B", ""));
    thresholds(all, Setting.Kind.DURATION, "maximum_timestamp", "minimum_timestamp");
    flags(
        all,
        "user_timestamps_enabled",
        "group_by_enabled",
        "allow_filtering_enabled",
        "read_before_write_list_operations_enabled",
        "alter_table_enabled",
        "drop_truncate_table_enabled",
        "drop_keyspace_enabled",
        "secondary_indexes_enabled",
        "non_partition_restricted_index_query_enabled",
        "uncompressed_tables_enabled",
        "compact_tables_enabled",
        "vector_type_enabled",
        "simplestrategy_enabled",
        "zero_ttl_on_twcs_enabled");
    all.add(flag("zero_ttl_on_twcs_warned", "false"));
    return List.copyOf(all);
  }

  private static void thresholds(List<Setting> all, Setting.Kind kind, String... guardrails) {
    for (String guardrail : guardrails) {
      for (String end : List.of(WARN, FAIL)) {
        boolean number = kind == Setting.Kind.NUMBER;
        String least = number ? "-1" : kind == Setting.Kind.SIZE ? "1B" : "1us";
        all.add(new Setting(guardrail + end, kind, number ? "-1" : "", List.of(), least, ""));
      }
    }
  }

  private static void lists(
      List<Setting> all, List<String> choices, String guardrail, String... ends) {
    for (String end : ends) {
      all.add(new Setting(guardrail + end, Setting.Kind.LIST, "[]", choices, "", ""));
    }
  }

  private static void flags(List<Setting> all, String... names) {
    for (String name : names) {
      all.add(flag(name, "true"));
    }
  }

  private static Setting flag(String name, String defaultText) {
    return new Setting(name, Setting.Kind.BOOLEAN, defaultText, List.of(), "", "");
  }

  /**
   * Checks that no threshold is 0, that the warning comes before the failure, and that the default
   * replication factor is allowed.
   *
   * @param places the source of each value that was given
   */
  static void check(Settings settings, Function<String, String> places) throws ConfigException {
    checkFactors(settings, places);
    for (Setting warn : Setting.GUARDRAILS) {
      if (!warn.name().endsWith(WARN)) {
        continue;
      }
      String guardrail = warn.name().substring(0, warn.name().length() - WARN.length());
      Setting fail = Setting.named(guardrail + FAIL);
      refuseZero(settings, warn, places);
      refuseZero(settings, fail, places);
      long first = settings.threshold(warn);
      long second = settings.threshold(fail);
      boolean minimum = guardrail.equals(MINIMUM_FACTOR);
      if (first >= 0 && second >= 0 && (minimum ? first < second : first > second)) {
        throw new ConfigException(
            places.apply(warn.name())
                + ": "
                + warn.name()
                + " needs at "
                + (minimum ? "least " : "most ")
                + fail.name()
                + " ("
                + settings.text(fail)
                + "), not '"
                + settings.text(warn)
                + "'");
      }
    }
  }

  /** A keyspace with the default replication factor must not be rejected. */
  private static void checkFactors(Settings settings, Function<String, String> places)
      throws ConfigException {
    long byDefault = settings.number(Setting.DEFAULT_KEYSPACE_RF);
    for (String guardrail : List.of(MINIMUM_FACTOR, MAXIMUM_FACTOR)) {
      Setting fail = Setting.named(guardrail + FAIL);
      long threshold = settings.threshold(fail);
      boolean minimum = guardrail.equals(MINIMUM_FACTOR);
      if (threshold >= 0 && (minimum ? threshold > byDefault : threshold < byDefault)) {
        throw new ConfigException(
            places.apply(fail.name())
                + ": "
                + fail.name()
                + " needs at "
                + (minimum ? "most " : "least ")
                + Setting.DEFAULT_KEYSPACE_RF.name()
                + " ("
                + byDefault
                + "), not '"
                + threshold
                + "'");
      }
    }
  }

  private static void refuseZero(
      Settings settings, Setting setting, Function<String, String> places) throws ConfigException {
    if (settings.threshold(setting) == 0) {
      throw new ConfigException(
          places.apply(setting.name())
              + ": "
              + setting.name()
              + " needs -1 (off) or at least 1, not '"
              + settings.text(setting)
              + "'");
    }
  }
}
