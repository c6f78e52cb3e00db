package io.helenus.server.schema;

import java.util.SortedMap;
import java.util.TreeMap;

/** Builds table options, starting from the defaults or from existing options. One thread. */
public final class TableOptionsBuilder {
  String additionalWritePolicy = "99p";
  boolean allowAutoSnapshot = true;
  double bloomFilterFalsePositiveChance = 0.01;
  SortedMap<String, String> caching = new TreeMap<>();
  boolean cdc;
  String comment = "";
  SortedMap<String, String> compaction = new TreeMap<>();
  SortedMap<String, String> compression = new TreeMap<>();
  double crcCheckChance = 1.0;
  int defaultTimeToLiveSeconds;
  SortedMap<String, String> extensions = new TreeMap<>();
  int gcGraceSeconds = 864_000;
  boolean incrementalBackups = true;
  int maxIndexInterval = 2048;
  String memtable = "default";
  int memtableFlushPeriodMillis;
  int minIndexInterval = 128;
  String readRepair = "BLOCKING";
  String speculativeRetry = "99p";

  /** Starts from the defaults of a new table. */
  public TableOptionsBuilder() {
    caching.put("keys", "ALL");
    caching.put("rows_per_partition", "NONE");
    compaction.put("class", "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy");
    compaction.put("max_threshold", "32");
    compaction.put("min_threshold", "4");
    compression.put("chunk_length_in_kb", "16");
    compression.put("class", "org.apache.cassandra.io.compress.LZ4Compressor");
  }

  /** Starts from existing options. */
  public TableOptionsBuilder(TableOptions options) {
    additionalWritePolicy = options.additionalWritePolicy();
    allowAutoSnapshot = options.allowAutoSnapshot();
    bloomFilterFalsePositiveChance = options.bloomFilterFalsePositiveChance();
    caching = options.caching();
    cdc = options.cdc();
    comment = options.comment();
    compaction = options.compaction();
    compression = options.compression();
    crcCheckChance = options.crcCheckChance();
    defaultTimeToLiveSeconds = options.defaultTimeToLiveSeconds();
    extensions = options.extensions();
    gcGraceSeconds = options.gcGraceSeconds();
    incrementalBackups = options.incrementalBackups();
    maxIndexInterval = options.maxIndexInterval();
    memtable = options.memtable();
    memtableFlushPeriodMillis = options.memtableFlushPeriodMillis();
    minIndexInterval = options.minIndexInterval();
    readRepair = options.readRepair();
    speculativeRetry = options.speculativeRetry();
  }

  /** The minimum time for which tombstones are kept. */
  public TableOptionsBuilder gcGraceSeconds(int seconds) {
    gcGraceSeconds = seconds;
    return this;
  }

  /** The time to live of writes without one, in seconds; 0 for none. */
  public TableOptionsBuilder defaultTimeToLiveSeconds(int seconds) {
    defaultTimeToLiveSeconds = seconds;
    return this;
  }

  /** The interval in milliseconds after which memtables are flushed; 0 for never. */
  public TableOptionsBuilder memtableFlushPeriodMillis(int millis) {
    memtableFlushPeriodMillis = millis;
    return this;
  }

  /** The false positive rate of bloom filters. */
  public TableOptionsBuilder bloomFilterFalsePositiveChance(double chance) {
    bloomFilterFalsePositiveChance = chance;
    return this;
  }

  /** The compaction strategy, resolved, with its class. */
  public TableOptionsBuilder compaction(SortedMap<String, String> options) {
    compaction = options;
    return this;
  }

  /** A free-text comment on the table. */
  public TableOptionsBuilder comment(String text) {
    comment = text;
    return this;
  }

  /** Builds the options. */
  public TableOptions build() {
    return new TableOptions(
        additionalWritePolicy,
        allowAutoSnapshot,
        bloomFilterFalsePositiveChance,
        caching,
        cdc,
        comment,
        compaction,
        compression,
        crcCheckChance,
        defaultTimeToLiveSeconds,
        extensions,
        gcGraceSeconds,
        incrementalBackups,
        maxIndexInterval,
        memtable,
        memtableFlushPeriodMillis,
        minIndexInterval,
        readRepair,
        speculativeRetry);
  }
}
