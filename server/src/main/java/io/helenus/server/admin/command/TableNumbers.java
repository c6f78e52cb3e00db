package io.helenus.server.admin.command;

import io.helenus.server.metrics.MetricSummary;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code tablestats} shows of a table.
 *
 * @param files what is in files and memtables
 * @param sizes the sizes of partitions in files
 * @param snapshotBytes what only snapshots have
 * @param reads latencies of local reads, null if there were none
 * @param writes latencies of local writes
 * @param rows rows per read
 * @param tombstones tombstones per read
 */
record TableNumbers(
    TableSchema table,
    TableStatistics files,
    PartitionSizes sizes,
    long snapshotBytes,
    @Nullable MetricSummary reads,
    @Nullable MetricSummary writes,
    @Nullable MetricSummary rows,
    @Nullable MetricSummary tombstones) {
  private static final double NANOS_PER_MILLI = 1e6;

  long readCount() {
    return count(reads);
  }

  long writeCount() {
    return count(writes);
  }

  private static long count(@Nullable MetricSummary summary) {
    return summary == null ? 0 : summary.count();
  }

  /** Reads per write, 0 without writes. */
  String readWriteRatio() {
    double ratio = writeCount() == 0 ? 0 : (double) readCount() / writeCount();
    return String.format(Locale.ROOT, "%.5f", ratio);
  }

  double percentRepaired() {
    return files.files() == 0 ? 100 : 0;
  }

  /** Milliseconds, NaN without requests. */
  static String latency(@Nullable MetricSummary latencies) {
    return latencies == null || latencies.count() == 0
        ? "NaN"
        : String.format(Locale.ROOT, "%.3f", latencies.histogram().getMean() / NANOS_PER_MILLI);
  }

  /** The mean in milliseconds over several tables, NaN without requests. */
  static double meanMillis(Collection<@Nullable MetricSummary> summaries) {
    long count = 0;
    double nanos = 0;
    for (MetricSummary summary : summaries) {
      if (summary != null) {
        count += summary.count();
        nanos += summary.count() * summary.histogram().getMean();
      }
    }
    return nanos / count / NANOS_PER_MILLI;
  }

  static double mean(@Nullable MetricSummary numbers) {
    return numbers == null || numbers.count() == 0 ? Double.NaN : numbers.histogram().getMean();
  }

  static long max(@Nullable MetricSummary numbers) {
    return numbers == null || numbers.count() == 0 ? 0 : numbers.max();
  }

  /** A size as a document has it: a text. */
  private static String size(long bytes, boolean human) {
    return human ? Sizes.spaced(bytes) : Long.toString(bytes);
  }

  /**
   * The same as a part of a document, in the order of Cassandra: that of a hash map, in which names
   * with the same place stand as they were added. What has no counterpart here shows what Cassandra
   * shows for a table without data or without an index.
   */
  Map<String, @Nullable Object> document(boolean human) {
    Map<String, @Nullable Object> all = new HashMap<>();
    addFiles(all, human);
    addMemtables(all, human);
    addRequests(all);
    addFilters(all, human);
    all.put("top_size_partitions", Map.of());
    all.put("top_tombstone_partitions", Map.of());
    addIndexes(all);
    return all;
  }

  private void addFiles(Map<String, @Nullable Object> all, boolean human) {
    all.put("sstable_count", files.files());
    all.put("old_sstable_count", 0);
    all.put("max_sstable_size", files.largestFileBytes());
    all.put("space_used_live", size(files.fileBytes(), human));
    all.put("space_used_total", size(files.fileBytes(), human));
    all.put("space_used_by_snapshots_total", size(snapshotBytes, human));
    all.put("off_heap_memory_used_total", size(files.memtableBytes(), human));
    all.put("sstable_compression_ratio", -1.0);
    all.put("number_of_partitions_estimate", files.estimatedPartitions());
    all.put("sstables_in_each_level", List.of());
    all.put("sstable_bytes_in_each_level", List.of());
    all.put("twcs", null);
    all.put("percent_repaired", percentRepaired());
    all.put("bytes_repaired", 0);
    all.put("bytes_unrepaired", files.fileBytes());
    all.put("bytes_pending_repair", 0);
    all.put("compacted_partition_minimum_bytes", sizes.smallest());
    all.put("compacted_partition_maximum_bytes", files.largestPartitionBytes());
    all.put("compacted_partition_mean_bytes", sizes.mean());
    all.put("droppable_tombstone_ratio", "0.00000");
  }

  private void addMemtables(Map<String, @Nullable Object> all, boolean human) {
    all.put("memtable_cell_count", 0);
    all.put("memtable_data_size", size(files.memtableBytes(), human));
    all.put("memtable_off_heap_memory_used", size(files.memtableBytes(), human));
    all.put("memtable_switch_count", 0);
    all.put("pending_flushes", 0);
  }

  private void addRequests(Map<String, @Nullable Object> all) {
    all.put("speculative_retries", 0);
    all.put("local_read_count", readCount());
    all.put("local_read_latency_ms", latency(reads));
    all.put("local_write_count", writeCount());
    all.put("local_write_latency_ms", latency(writes));
    all.put("local_read_write_ratio", readWriteRatio());
    all.put("average_live_cells_per_slice_last_five_minutes", mean(rows));
    all.put("maximum_live_cells_per_slice_last_five_minutes", max(rows));
    all.put("average_tombstones_per_slice_last_five_minutes", mean(tombstones));
    all.put("maximum_tombstones_per_slice_last_five_minutes", max(tombstones));
  }

  private static void addFilters(Map<String, @Nullable Object> all, boolean human) {
    all.put("bloom_filter_false_positives", 0);
    all.put("bloom_filter_false_ratio", "0.00000");
    all.put("bloom_filter_space_used", size(0, human));
    all.put("bloom_filter_off_heap_memory_used", size(0, human));
    all.put("index_summary_off_heap_memory_used", size(0, human));
    all.put("compression_metadata_off_heap_memory_used", size(0, human));
  }

  private static void addIndexes(Map<String, @Nullable Object> all) {
    all.put("sai_local_query_latency_ms", "0.000");
    all.put("sai_post_filtering_read_latency", "0.000");
    all.put("sai_disk_used_bytes", null);
    all.put("sai_sstable_indexes_hit", 0.0);
    all.put("sai_index_segments_hit", 0.0);
    all.put("sai_rows_filtered", 0.0);
    all.put("sai_total_query_timeouts", 0);
    all.put("sai_total_queryable_index_ratio", null);
  }
}
