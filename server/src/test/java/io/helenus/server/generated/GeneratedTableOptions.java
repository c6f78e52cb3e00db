package io.helenus.server.generated;

import java.util.List;

/** Random table options: known and unknown names, valid and invalid values. Not thread-safe. */
final class GeneratedTableOptions {
  /** Values of options that are not maps. */
  private static final String[] VALUES = {
    "0",
    "1",
    "-1",
    "0.5",
    "1.5",
    "100",
    "'0'",
    "'0.01'",
    "'x'",
    "''",
    "true",
    "{}",
    "{'a': 'b'}",
    "2147483648",
    "-0.1",
    "1e5",
    "NaN",
    "null",
    "0x01",
    "'99p'",
    "'50ms'",
    "''''",
    "1d",
    "'-1'"
  };

  private static final String[] NAMES = {
    "additional_write_policy",
    "allow_auto_snapshot",
    "bloom_filter_fp_chance",
    "caching",
    "comment",
    "compaction",
    "compression",
    "crc_check_chance",
    "default_time_to_live",
    "extensions",
    "gc_grace_seconds",
    "incremental_backups",
    "max_index_interval",
    "memtable",
    "memtable_flush_period_in_ms",
    "min_index_interval",
    "read_repair",
    "speculative_retry",
    "id",
    "nosuch",
    "dclocal_read_repair_chance",
    "read_repair_chance",
    "security_label",
    "populate_io_cache_on_flush"
  };

  /** Values of compaction, compression and caching; each %s stands for one of MAP_VALUES. */
  private static final String[] MAPS = {
    "{'class': 'SizeTieredCompactionStrategy'}",
    "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS',"
        + " 'compaction_window_size': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4', 'min_sstable_size':"
        + " '%sMiB'}",
    "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'max_threshold': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'tombstone_threshold': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'bucket_low': '%s', 'bucket_high': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'min_sstable_size': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'enabled': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'unchecked_tombstone_compaction': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'tombstone_compaction_interval': '%s'}",
    "{'class': 'SizeTieredCompactionStrategy', 'log_all': '%s'}",
    "{'class': 'LeveledCompactionStrategy', 'fanout_size': '%s'}",
    "{'class': 'LeveledCompactionStrategy', 'single_sstable_uplevel': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'timestamp_resolution': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': '%s'}",
    "{'class': 'TimeWindowCompactionStrategy', 'expired_sstable_check_frequency_seconds': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'base_shard_count': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'sstable_growth': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'overlap_inclusion_method': '%s'}",
    "{'class': 'UnifiedCompactionStrategy', 'flush_size_override': '%s'}",
    "{'class': 'Nosuch%s'}",
    "{'class': 'LZ4Compressor', 'chunk_length_in_kb': '%s'}",
    "{'class': 'SnappyCompressor', 'chunk_length': '%s'}",
    "{'class': 'DeflateCompressor', 'min_compress_ratio': '%s'}",
    "{'class': 'ZstdCompressor', 'compression_level': '%s'}",
    "{'class': 'LZ4Compressor', 'lz4_compressor_type': '%s'}",
    "{'class': 'LZ4Compressor', 'lz4_high_compressor_level': '%s'}",
    "{'class': 'NoopCompressor'}",
    "{'sstable_compression': 'LZ4Compressor', 'chunk_length_kb': '%s'}",
    "{'sstable_compression': '%s'}",
    "{'enabled': '%s'}",
    "{'enabled': 'false', 'class': 'LZ4Compressor'}",
    "{'keys': 'ALL', 'rows_per_partition': '%s'}",
    "{'keys': '%s'}",
    "{'keys': 'NONE', 'nosuch': '%s'}",
    "{'rows_per_partition': 'ALL'}"
  };

  private static final String[] MAP_VALUES = {
    "1",
    "0",
    "-1",
    "4",
    "32",
    "33",
    "abc",
    "",
    "true",
    "false",
    "0.5",
    "1.5",
    "NaN",
    "99999999999",
    "HOURS",
    "DAYS",
    "MICROSECONDS",
    "ALL",
    "NONE",
    "all",
    "L4",
    "T2, N",
    "1GiB",
    "fast",
    "high",
    "SNAPPY",
    " 4",
    "4 ",
    "1e1",
    "+4",
    "0x10",
    "2147483647",
    "transitive"
  };

  private final Choices choices;

  GeneratedTableOptions(Choices choices) {
    this.choices = choices;
  }

  /** An option as it follows WITH. */
  String option() {
    String name = choices.oneOf(NAMES);
    boolean map = List.of("compaction", "compression", "caching").contains(name);
    if (!choices.chance(map ? 90 : 8)) {
      return name + " = " + scalar();
    }
    String value = choices.oneOf(MAPS);
    while (value.contains("%s")) {
      value = value.replaceFirst("%s", choices.oneOf(MAP_VALUES));
    }
    return name + " = " + value;
  }

  /** A value of an option that is not a map, or an invalid one. */
  String scalar() {
    return choices.oneOf(VALUES);
  }
}
