package io.helenus.server.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Table options, compared with the recorded answers of Apache Cassandra 5.0.9
 * (server/src/test/oracle/record-table-options.py).
 */
class TableOptionsTest {
  private static List<String> recording() throws IOException {
    try (InputStream in = TableOptionsTest.class.getResourceAsStream("/schema/table-options.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().toList();
    }
  }

  @Test
  void everyOptionIsAcceptedOrRefusedAsByTheOracle() throws IOException {
    List<String> differences = new ArrayList<>();
    List<String> recording = recording();
    assertTrue(recording.size() > 100);
    for (String line : recording) {
      int tab = line.indexOf('\t');
      String clause = line.substring(0, tab);
      String actual = answer(clause);
      if (!line.substring(tab + 1).equals(actual)) {
        differences.add(line + "\n    " + actual);
      }
    }
    assertEquals("", String.join("\n", differences));
  }

  @Test
  void everyOptionCanBeNamedInAGuardrail() {
    for (String list : List.of("_warned", "_ignored", "_disallowed")) {
      assertEquals(
          TableOptionsReader.KNOWN.stream().sorted().toList(),
          Setting.named("table_properties" + list).choices());
    }
  }

  @Test
  void changeDataCaptureIsRefused() {
    assertEquals(
        "2200 Change data capture (cdc = true) is not supported by this version of Helenus",
        answer("cdc = true"));
  }

  private static String answer(String clause) {
    SchemaFixture fixture = new SchemaFixture();
    String refusal = fixture.refusal("CREATE TABLE t (k int PRIMARY KEY) WITH " + clause);
    if (!refusal.equals("done")) {
      return refusal;
    }
    Map<String, String> defaults = shown(TableOptions.defaults());
    List<String> changed = new ArrayList<>();
    shown(fixture.table("t").options())
        .forEach(
            (name, value) -> {
              if (!value.equals(defaults.get(name))) {
                changed.add(name + "=" + value);
              }
            });
    return "done " + String.join("; ", changed);
  }

  private static Map<String, String> shown(TableOptions options) {
    Map<String, String> shown = new TreeMap<>();
    shown.put("additional_write_policy", options.additionalWritePolicy());
    shown.put("allow_auto_snapshot", Boolean.toString(options.allowAutoSnapshot()));
    shown.put("bloom_filter_fp_chance", Double.toString(options.bloomFilterFalsePositiveChance()));
    shown.put("caching", options.caching().toString());
    shown.put("comment", options.comment());
    shown.put("compaction", options.compaction().toString());
    shown.put("compression", options.compression().toString());
    shown.put("crc_check_chance", Double.toString(options.crcCheckChance()));
    shown.put("default_time_to_live", Integer.toString(options.defaultTimeToLiveSeconds()));
    shown.put("extensions", options.extensions().toString());
    shown.put("gc_grace_seconds", Integer.toString(options.gcGraceSeconds()));
    shown.put("incremental_backups", Boolean.toString(options.incrementalBackups()));
    shown.put("max_index_interval", Integer.toString(options.maxIndexInterval()));
    shown.put("memtable_flush_period_in_ms", Integer.toString(options.memtableFlushPeriodMillis()));
    shown.put("min_index_interval", Integer.toString(options.minIndexInterval()));
    shown.put("read_repair", options.readRepair());
    shown.put("speculative_retry", options.speculativeRetry());
    return shown;
  }

  /** Cassandra keeps no extension that is given in CQL; Helenus only the one that it knows. */
  @Test
  void theExtensionAboutAdviceIsKept() {
    SchemaFixture fixture = new SchemaFixture();
    fixture.change(
        "CREATE TABLE t (k int PRIMARY KEY) WITH extensions = {'schema_advice': 'off', 'a': 'b'}");
    assertEquals(Map.of("schema_advice", "6f6666"), fixture.table("t").options().extensions());
    fixture.change("ALTER TABLE t WITH comment = 'c'");
    assertEquals(Map.of("schema_advice", "6f6666"), fixture.table("t").options().extensions());
    fixture.change("ALTER TABLE t WITH extensions = {'schema_advice': 0x7175657565}");
    assertEquals(Map.of("schema_advice", "7175657565"), fixture.table("t").options().extensions());
    fixture.change("ALTER TABLE t WITH extensions = {}");
    assertEquals(Map.of(), fixture.table("t").options().extensions());
  }

  @Test
  void supportedOptionsReachStorage() {
    SchemaFixture fixture = new SchemaFixture();
    fixture.change(
        "CREATE TABLE t (k int PRIMARY KEY) WITH compression = {'enabled': false}"
            + " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 3,"
            + " 'max_threshold': 7} AND gc_grace_seconds = 9 AND bloom_filter_fp_chance = 0.5");
    String descriptor = fixture.table("t").descriptor().toString();
    assertTrue(descriptor.contains("gcGraceSeconds=9, compression=NONE, compactionMinThreshold=3"));
    assertTrue(descriptor.contains("compactionMaxThreshold=7, bloomFalsePositiveChance=0.5"));
    fixture.change(
        "ALTER TABLE t WITH compaction = {'class': 'LeveledCompactionStrategy',"
            + " 'enabled': false}");
    assertTrue(fixture.table("t").descriptor().toString().contains("compactionMinThreshold=0"));
  }
}
