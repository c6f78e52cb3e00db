package io.helenus.server.node;

import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning about options of tables and their indexes that are stored and shown as in
 * Cassandra but have no effect yet, so that users do not rely on them. Stateless.
 */
final class IgnoredOptions {
  private static final Logger LOG = LoggerFactory.getLogger(IgnoredOptions.class);

  private static final Set<String> COMPACTION_OBEYED =
      Set.of("enabled", "min_threshold", "max_threshold");
  private static final Set<String> COMPRESSION_OBEYED = Set.of("enabled");

  private IgnoredOptions() {}

  static void warn(SchemaChange change, Schema schema) {
    String name = change.table();
    TableSchema table = name == null ? null : schema.table(change.keyspace(), name);
    if (table == null) {
      return;
    }
    List<String> idle = of(table.options());
    for (IndexSchema index : table.indexes()) {
      if (index.options().containsKey("optimize_for")) {
        idle.add("optimize_for of index " + index.name());
      }
    }
    if (!idle.isEmpty()) {
      LOG.warn(
          "Table {}: these options are stored and shown but have no effect in this version: {}",
          table,
          String.join(", ", idle));
    }
  }

  static List<String> of(TableOptions options) {
    TableOptions usual = TableOptions.defaults();
    List<String> idle = new ArrayList<>();
    addParts(idle, "compaction", options.compaction(), usual.compaction(), COMPACTION_OBEYED);
    addParts(idle, "compression", options.compression(), usual.compression(), COMPRESSION_OBEYED);
    add(idle, "caching", options.caching(), usual.caching());
    add(idle, "memtable", options.memtable(), usual.memtable());
    add(
        idle,
        "memtable_flush_period_in_ms",
        options.memtableFlushPeriodMillis(),
        usual.memtableFlushPeriodMillis());
    add(
        idle,
        "additional_write_policy",
        options.additionalWritePolicy(),
        usual.additionalWritePolicy());
    add(idle, "speculative_retry", options.speculativeRetry(), usual.speculativeRetry());
    add(idle, "read_repair", options.readRepair(), usual.readRepair());
    add(idle, "crc_check_chance", options.crcCheckChance(), usual.crcCheckChance());
    add(idle, "min_index_interval", options.minIndexInterval(), usual.minIndexInterval());
    add(idle, "max_index_interval", options.maxIndexInterval(), usual.maxIndexInterval());
    return idle;
  }

  /**
   * Adds the entries of an option map that has no effect. A disabled map does take effect and is
   * not added.
   */
  private static void addParts(
      List<String> idle,
      String name,
      SortedMap<String, String> map,
      SortedMap<String, String> usual,
      Set<String> obeyed) {
    if ("false".equals(map.get("enabled"))) {
      return;
    }
    map.forEach(
        (key, value) -> {
          if (!obeyed.contains(key) && !value.equals(usual.get(key))) {
            idle.add(name + " " + key);
          }
        });
  }

  private static void add(List<String> idle, String name, Object value, Object usual) {
    if (!value.equals(usual)) {
      idle.add(name);
    }
  }
}
