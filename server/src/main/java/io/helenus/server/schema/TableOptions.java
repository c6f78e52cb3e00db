package io.helenus.server.schema;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The options of a table (CREATE TABLE … WITH), with defaults filled in. Immutable. Values are as
 * system_schema.tables shows them: class names fully qualified, durations and percentiles in their
 * canonical form.
 *
 * @param caching {@code keys} and {@code rows_per_partition}
 * @param compaction with its {@code class}
 * @param compression with its {@code class}; only {@code enabled: false} if disabled
 * @param extensions names with their bytes in hexadecimal, without 0x
 * @param memtable the configuration's name
 */
public record TableOptions(
    String additionalWritePolicy,
    boolean allowAutoSnapshot,
    double bloomFilterFalsePositiveChance,
    SortedMap<String, String> caching,
    boolean cdc,
    String comment,
    SortedMap<String, String> compaction,
    SortedMap<String, String> compression,
    double crcCheckChance,
    int defaultTimeToLiveSeconds,
    SortedMap<String, String> extensions,
    int gcGraceSeconds,
    boolean incrementalBackups,
    int maxIndexInterval,
    String memtable,
    int memtableFlushPeriodMillis,
    int minIndexInterval,
    String readRepair,
    String speculativeRetry) {
  /** The extension that says which advice about the table is not wanted. */
  public static final String SCHEMA_ADVICE = "schema_advice";

  /** Copies the maps. */
  public TableOptions {
    caching = copy(caching);
    compaction = copy(compaction);
    compression = copy(compression);
    extensions = copy(extensions);
  }

  private static SortedMap<String, String> copy(SortedMap<String, String> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  /** The defaults. */
  public static TableOptions defaults() {
    return new TableOptionsBuilder().build();
  }

  /** Returns a builder that starts from these options. */
  public TableOptionsBuilder toBuilder() {
    return new TableOptionsBuilder(this);
  }
}
