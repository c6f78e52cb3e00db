package io.helenus.server.admin.command;

import io.helenus.server.admin.CommandException;
import io.helenus.storage.engine.TableStatistics;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The keys by which {@code tablestats} sorts: greatest first, tables without a number last, equal
 * ones by name. What has no counterpart here is equal for all tables. Stateless.
 */
final class TableOrder {
  private static final String FULL_NAME = "full_name";
  private static final String TABLE_NAME = "table_name";
  private static final Map<String, ToDoubleFunction<TableNumbers>> KEYS = keys();

  private TableOrder() {}

  /** In the order in which Cassandra lists them. */
  private static Map<String, ToDoubleFunction<TableNumbers>> keys() {
    Map<String, ToDoubleFunction<TableNumbers>> keys = new LinkedHashMap<>();
    keys.put(
        "average_live_cells_per_slice_last_five_minutes", each -> TableNumbers.mean(each.rows()));
    keys.put(
        "average_tombstones_per_slice_last_five_minutes",
        each -> TableNumbers.mean(each.tombstones()));
    same(keys, "bloom_filter_false_positives", "bloom_filter_false_ratio");
    same(keys, "bloom_filter_off_heap_memory_used", "bloom_filter_space_used");
    keys.put("compacted_partition_maximum_bytes", each -> each.files().largestPartitionBytes());
    keys.put("compacted_partition_mean_bytes", each -> each.sizes().mean());
    keys.put("compacted_partition_minimum_bytes", each -> each.sizes().smallest());
    same(keys, "compression_metadata_off_heap_memory_used", "dropped_mutations", FULL_NAME);
    same(keys, "index_summary_off_heap_memory_used");
    keys.put("local_read_count", TableNumbers::readCount);
    keys.put("local_read_latency_ms", each -> TableNumbers.mean(each.reads()));
    keys.put("local_write_latency_ms", each -> TableNumbers.mean(each.writes()));
    keys.put(
        "maximum_live_cells_per_slice_last_five_minutes", each -> TableNumbers.max(each.rows()));
    keys.put(
        "maximum_tombstones_per_slice_last_five_minutes",
        each -> TableNumbers.max(each.tombstones()));
    same(keys, "memtable_cell_count");
    files(keys, "memtable_data_size", TableStatistics::memtableBytes);
    files(keys, "memtable_off_heap_memory_used", TableStatistics::memtableBytes);
    same(keys, "memtable_switch_count");
    files(keys, "number_of_partitions_estimate", TableStatistics::estimatedPartitions);
    files(keys, "off_heap_memory_used_total", TableStatistics::memtableBytes);
    same(keys, "pending_flushes");
    keys.put("percent_repaired", TableNumbers::percentRepaired);
    keys.put("read_latency", each -> TableNumbers.mean(each.reads()));
    keys.put("reads", TableNumbers::readCount);
    keys.put("space_used_by_snapshots_total", TableNumbers::snapshotBytes);
    files(keys, "space_used_live", TableStatistics::fileBytes);
    files(keys, "space_used_total", TableStatistics::fileBytes);
    same(keys, "sstable_compression_ratio");
    files(keys, "sstable_count", TableStatistics::files);
    same(keys, TABLE_NAME);
    keys.put("write_latency", each -> TableNumbers.mean(each.writes()));
    keys.put("writes", TableNumbers::writeCount);
    files(keys, "max_sstable_size", TableStatistics::largestFileBytes);
    keys.put("local_read_write_ratio", each -> Double.parseDouble(each.readWriteRatio()));
    same(keys, "twcs_max_duration", "sai_local_query_latency_ms");
    same(keys, "sai_post_filtering_read_latency", "sai_disk_used_bytes");
    same(keys, "sai_sstable_indexes_hit", "sai_index_segments_hit", "sai_rows_filtered");
    same(keys, "sai_total_query_timeouts", "sai_total_queryable_index_ratio");
    return keys;
  }

  private static void same(Map<String, ToDoubleFunction<TableNumbers>> keys, String... names) {
    for (String name : names) {
      keys.put(name, each -> 0);
    }
  }

  private static void files(
      Map<String, ToDoubleFunction<TableNumbers>> keys,
      String name,
      ToDoubleFunction<TableStatistics> number) {
    keys.put(name, each -> number.applyAsDouble(each.files()));
  }

  /** The order of a key. */
  static Comparator<TableNumbers> by(String key) throws CommandException {
    ToDoubleFunction<TableNumbers> number = KEYS.get(key);
    if (number == null) {
      throw CommandException.usage(
          "argument for sort must be one of: " + String.join(", ", KEYS.keySet()));
    }
    if (key.equals(FULL_NAME)) {
      return Comparator.comparing(TableOrder::name).reversed();
    }
    if (key.equals(TABLE_NAME)) {
      return Comparator.<TableNumbers, String>comparing(each -> each.table().name())
          .reversed()
          .thenComparing(TableOrder::name);
    }
    return Comparator.<TableNumbers>comparingDouble(each -> -number.applyAsDouble(each))
        .thenComparing(TableOrder::name);
  }

  /** The name with which a sorted table is shown. */
  static String name(TableNumbers numbers) {
    return numbers.table().keyspace() + "." + numbers.table().name();
  }
}
