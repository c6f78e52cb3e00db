package io.helenus.server.guardrails;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.error.CqlException;
import io.helenus.server.ring.ConsistencyLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ConfiguredGuardrailsTest {
  private final List<String> warnings = new ArrayList<>();

  private static Guardrails with(String... settings) {
    TestSettings values = TestSettings.simulated();
    for (int i = 0; i < settings.length; i += 2) {
      values.with(Setting.named(settings[i]), settings[i + 1]);
    }
    return ConfiguredGuardrails.of(values.build());
  }

  private String refusal(Guardrails guardrails, Limit limit, long value) {
    CqlException refused =
        assertThrows(CqlException.class, () -> guardrails.check(limit, value, "x", warnings::add));
    assertTrue(refused.isGuardrail());
    return refused.error().message();
  }

  @Test
  void everySettingOfAGuardrailIsRead() {
    Set<String> read = new TreeSet<>();
    for (Limit limit : Limit.values()) {
      read.add(limit.key() + "_warn_threshold");
      read.add(limit.key() + "_fail_threshold");
    }
    for (Feature feature : Feature.values()) {
      read.add(feature.enabledSetting());
    }
    read.add("zero_ttl_on_twcs_warned");
    read.add("data_disk_usage_max_disk_size");
    for (ValueList list : ValueList.values()) {
      read.add(list.key() + "_warned");
      read.add(list.key() + "_disallowed");
    }
    read.add("table_properties_ignored");
    Set<String> settings = new TreeSet<>();
    Setting.GUARDRAILS.forEach(setting -> settings.add(setting.name()));
    assertEquals(settings, read);
  }

  @Test
  void consistencyLevelsAreThoseOfTheProtocol() {
    List<String> levels = Arrays.stream(ConsistencyLevel.values()).map(Enum::name).toList();
    for (ValueList list :
        List.of(ValueList.READ_CONSISTENCY_LEVELS, ValueList.WRITE_CONSISTENCY_LEVELS)) {
      assertEquals(levels, Setting.named(list.key() + "_warned").choices());
      assertEquals(levels, Setting.named(list.key() + "_disallowed").choices());
    }
  }

  @Test
  void mostAreOffByDefault() {
    Guardrails guardrails = with();
    assertEquals(32, guardrails.warnsAbove(Limit.SAI_SSTABLE_INDEXES_PER_QUERY));
    assertEquals(Long.MAX_VALUE, guardrails.failsAbove(Limit.SAI_SSTABLE_INDEXES_PER_QUERY));
    assertEquals(100 << 20, guardrails.warnsAbove(Limit.PARTITION_SIZE));
    assertEquals(Long.MAX_VALUE, guardrails.failsAbove(Limit.PARTITION_SIZE));
    assertEquals(100_000, guardrails.warnsAbove(Limit.PARTITION_TOMBSTONES));
    assertEquals(Long.MAX_VALUE, guardrails.failsAbove(Limit.PARTITION_TOMBSTONES));
    EnumSet<Limit> on =
        EnumSet.of(
            Limit.SAI_SSTABLE_INDEXES_PER_QUERY, Limit.PARTITION_SIZE, Limit.PARTITION_TOMBSTONES);
    for (Limit limit : EnumSet.complementOf(on)) {
      guardrails.check(limit, Long.MAX_VALUE, "x", warnings::add);
      guardrails.check(limit, Long.MIN_VALUE, "x", warnings::add);
      assertFalse(guardrails.hasAny(limit));
    }
    for (Feature feature : Feature.values()) {
      guardrails.require(feature, warnings::add);
    }
    for (ValueList list : ValueList.values()) {
      assertFalse(guardrails.has(list));
    }
    assertEquals(List.of(), warnings);
  }

  @Test
  void theThresholdsThemselvesAreAllowed() {
    Guardrails guardrails = with("tables_warn_threshold", "2", "tables_fail_threshold", "3");
    guardrails.check(Limit.TABLES, 2, "x", warnings::add);
    assertEquals(List.of(), warnings);
    guardrails.check(Limit.TABLES, 3, "x", warnings::add);
    assertEquals(
        List.of(
            "Guardrail tables violated: Creating table x, current number of tables 3 exceeds"
                + " warning threshold of 2."),
        warnings);
    assertEquals(
        "Guardrail tables violated: Cannot have more than 3 tables, aborting the creation of table"
            + " x",
        refusal(guardrails, Limit.TABLES, 4));
  }

  @Test
  void aMinimumIsViolatedByLessThanTheThreshold() {
    Guardrails guardrails =
        with(
            "default_keyspace_rf",
            "2",
            "minimum_replication_factor_warn_threshold",
            "3",
            "minimum_replication_factor_fail_threshold",
            "2");
    guardrails.check(Limit.MINIMUM_REPLICATION_FACTOR, 3, "x", warnings::add);
    assertEquals(List.of(), warnings);
    guardrails.check(Limit.MINIMUM_REPLICATION_FACTOR, 2, "x", warnings::add);
    assertEquals(
        List.of(
            "Guardrail minimum_replication_factor violated: The keyspace x has a replication factor"
                + " of 2, below the warning threshold of 3."),
        warnings);
    assertEquals(
        "Guardrail minimum_replication_factor violated: The keyspace x has a replication factor of"
            + " 1, below the failure threshold of 2.",
        refusal(guardrails, Limit.MINIMUM_REPLICATION_FACTOR, 1));
  }

  @Test
  void queriesOfIndexesWithoutPartitionsAreAFeature() {
    Guardrails guardrails = with("non_partition_restricted_index_query_enabled", "false");
    CqlException refused =
        assertThrows(
            CqlException.class,
            () -> guardrails.require(Feature.NON_PARTITION_RESTRICTED_INDEX_QUERY, warnings::add));
    assertEquals(
        "Guardrail non_partition_restricted_index_query_enabled violated: Non-partition key"
            + " restricted query is not allowed. Executing a query on secondary indexes without"
            + " partition key restriction might degrade performance",
        refused.error().message());
  }

  @Test
  void timestampsAreRelativeToTheClock() {
    Guardrails guardrails =
        with("maximum_timestamp_warn_threshold", "1s", "minimum_timestamp_fail_threshold", "2ms");
    guardrails.checkTimestamp(5_000_000, 5_000_000, "x", warnings::add);
    assertEquals(List.of(), warnings);
    guardrails.checkTimestamp(6_000_001, 5_000_000, "x", warnings::add);
    assertEquals(
        List.of(
            "Guardrail maximum_timestamp violated: The modification to table x has a timestamp"
                + " 6000001 after the maximum allowable warning threshold 6000000. Timestamps too"
                + " far in the future can lead to data that can't be easily overwritten"),
        warnings);
    CqlException refused =
        assertThrows(
            CqlException.class,
            () -> guardrails.checkTimestamp(4_997_999, 5_000_000, "x", warnings::add));
    assertEquals(
        "Guardrail minimum_timestamp violated: The modification to table x has a timestamp 4997999"
            + " before the minimum allowable failure threshold 4998000. Timestamps too far in the"
            + " past can cause writes can be unexpectedly lost",
        refused.error().message());
  }
}
