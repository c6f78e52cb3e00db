package io.helenus.storage.sstable;

import io.helenus.storage.engine.Fields;
import io.helenus.storage.engine.PartitionNotes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The statistics of an SSTable. Timestamps are microseconds, expiries seconds since 1970. The
 * arrays are not copied and must not be changed.
 *
 * @param smallestTimestamp of all cells, livenesses and deletions
 * @param largestTimestamp of all cells, livenesses and deletions
 * @param smallestExpirySeconds of all expiring cells and livenesses; Long.MAX_VALUE if there are
 *     none
 * @param largestExpirySeconds of all expiring cells and livenesses; Long.MAX_VALUE if anything
 *     never expires
 * @param smallestKey the first key, complete
 * @param largestKey the last key, complete
 * @param kinds a combination of the KIND_ bits
 * @param partitions number of partitions
 * @param rows number of rows and static rows
 * @param entries number of entries
 * @param tombstones number of deletions, tombstone cells and expiring cells
 * @param histogramSeconds the upper ends of the buckets of the tombstone histogram, ascending
 * @param histogramCounts how many tombstones and expiring cells become purgeable in each bucket,
 *     grace period not included
 * @param largestPartitionBytes size of keys and values of the largest partition, uncompressed; 0 if
 *     the file does not record it
 * @param bytes size of keys and values, uncompressed; 0 if the file does not record it
 * @param blocks number of blocks of entries; 0 if the file does not record it
 * @param notes the sizes of partitions, and those that are large or have many tombstones
 * @param logPositions opaque bytes given to the writer
 */
public record SstableStatistics(
    long smallestTimestamp,
    long largestTimestamp,
    long smallestExpirySeconds,
    long largestExpirySeconds,
    byte[] smallestKey,
    byte[] largestKey,
    int kinds,
    long partitions,
    long rows,
    long entries,
    long tombstones,
    long[] histogramSeconds,
    long[] histogramCounts,
    long largestPartitionBytes,
    long bytes,
    long blocks,
    PartitionNotes notes,
    byte[] logPositions) {

  /** There are partition deletions. */
  public static final int KIND_PARTITION_DELETIONS = 0x01;

  /** There are static rows. */
  public static final int KIND_STATIC_ROWS = 0x02;

  /** There are rows. */
  public static final int KIND_ROWS = 0x04;

  /** There are range tombstone bounds. */
  public static final int KIND_BOUNDS = 0x08;

  /** There are row deletions. */
  public static final int KIND_ROW_DELETIONS = 0x10;

  /** There are tombstone cells. */
  public static final int KIND_TOMBSTONES = 0x20;

  /** There are expiring cells or livenesses. */
  public static final int KIND_EXPIRING = 0x40;

  /** There are cells with paths or column deletions. */
  public static final int KIND_MULTI_CELL = 0x80;

  /** There are counter cells. */
  public static final int KIND_COUNTERS = 0x100;

  /** There are rows without a liveness. */
  public static final int KIND_UPDATES = 0x200;

  /** The names of the bits of {@link #kinds}, lowest first. */
  private static final List<String> KIND_NAMES =
      List.of(
          "partition deletions",
          "static rows",
          "rows",
          "bounds",
          "row deletions",
          "tombstone cells",
          "expiring cells",
          "multi-cell columns",
          "counters",
          "rows without liveness");

  /** The token of the smallest key: its first eight bytes, sign flipped. */
  public long smallestToken() {
    return token(smallestKey);
  }

  /** The token of the largest key: its first eight bytes, sign flipped. */
  public long largestToken() {
    return token(largestKey);
  }

  /**
   * The estimated number of tombstones made and cells expired before {@code gcBeforeSeconds},
   * divided by the number of entries.
   */
  public double droppableRatio(long gcBeforeSeconds) {
    long droppable = 0;
    for (int i = 0; i < histogramSeconds.length; i++) {
      if (histogramSeconds[i] < gcBeforeSeconds) {
        droppable += histogramCounts[i];
      }
    }
    return entries == 0 ? 0 : (double) droppable / entries;
  }

  /** A readable description of the statistics. */
  public Fields describe() {
    Fields fields = new Fields();
    if (entries > 0) {
      fields.putMicros("smallest_timestamp", smallestTimestamp);
      fields.putMicros("largest_timestamp", largestTimestamp);
      putExpiry(fields, "smallest_expiry", smallestExpirySeconds);
      putExpiry(fields, "largest_expiry", largestExpirySeconds);
    }
    fields.put("kinds", kindNames());
    fields.put("partitions", partitions).put("rows", rows).put("entries", entries);
    fields.put("tombstones", tombstones);
    fields.put("largest_partition_bytes", largestPartitionBytes);
    fields.put("data_bytes", bytes).put("data_blocks", blocks);
    fields.put("smallest_token", smallestToken()).put("largest_token", largestToken());
    fields.put("smallest_key", smallestKey).put("largest_key", largestKey);
    List<Fields> histogram = new ArrayList<>();
    for (int i = 0; i < histogramSeconds.length; i++) {
      Fields bucket = new Fields().putSeconds("until", histogramSeconds[i]);
      histogram.add(bucket.put("tombstones", histogramCounts[i]));
    }
    fields.put("tombstone_histogram", histogram);
    describeNotes(fields);
    ByteBuffer positions = ByteBuffer.wrap(logPositions);
    List<Fields> logs = new ArrayList<>();
    while (positions.remaining() >= 2 * Long.BYTES) {
      logs.add(new Fields().put("log_id", positions.getLong()).put("below", positions.getLong()));
    }
    return fields.put("log_positions", logs);
  }

  private void describeNotes(Fields fields) {
    fields.put("partition_sizes", classes("up_to_bytes", notes.countsBySize()));
    fields.put("partition_cells", classes("up_to_cells", notes.countsByCells()));
    List<Fields> listed = new ArrayList<>();
    for (PartitionNotes.Partition each : notes.partitions()) {
      Fields partition = new Fields().put("prefix", each.prefix()).put("bytes", each.bytes());
      listed.add(partition.put("rows", each.rows()).put("tombstones", each.tombstones()));
    }
    fields.put("large_partitions", listed);
  }

  private static List<Fields> classes(String name, long[] counts) {
    List<Fields> classes = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        Fields upTo = new Fields().put(name, PartitionNotes.largestOfClass(i));
        classes.add(upTo.put("partitions", counts[i]));
      }
    }
    return classes;
  }

  private static void putExpiry(Fields fields, String name, long seconds) {
    if (seconds == Long.MAX_VALUE) {
      fields.put(name, "none");
    } else {
      fields.putSeconds(name, seconds);
    }
  }

  private String kindNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < KIND_NAMES.size(); i++) {
      if ((kinds & 1 << i) != 0) {
        names.add(KIND_NAMES.get(i));
      }
    }
    return String.join(", ", names);
  }

  private static long token(byte[] key) {
    long token = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      token = token << 8 | (i < key.length ? key[i] & 0xFF : 0);
    }
    return token ^ Long.MIN_VALUE;
  }
}
