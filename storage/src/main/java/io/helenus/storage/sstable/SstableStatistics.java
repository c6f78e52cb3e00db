package io.helenus.storage.sstable;

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

  /** The token of the smallest key: its first eight bytes, sign flipped. */
  public long smallestToken() {
    return token(smallestKey);
  }

  /** The token of the largest key: its first eight bytes, sign flipped. */
  public long largestToken() {
    return token(largestKey);
  }

  /**
   * The estimated ratio of tombstones to entries that could be purged if the grace period ended at
   * a second.
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

  private static long token(byte[] key) {
    long token = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      token = token << 8 | (i < key.length ? key[i] & 0xFF : 0);
    }
    return token ^ Long.MIN_VALUE;
  }
}
