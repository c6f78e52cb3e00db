package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.sstable.SstableStatistics;
import java.lang.foreign.MemorySegment;

/** Collects a file's statistics from its entries; encodes and decodes them. One thread. */
final class StatisticsBuilder {
  private static final int BUCKET_LIMIT = 1000;

  /** Partitions with longer keys are not listed: an open file has the list in memory. */
  private static final int LISTED_PREFIX_BYTES = 1024;

  private final RowView row = new RowView();
  private final BoundView bound = new BoundView();
  private final ElementView element = new ElementView();
  private final Histogram histogram = new Histogram();
  private long smallestTimestamp = Long.MAX_VALUE;
  private long largestTimestamp = Long.MIN_VALUE;
  private long smallestExpiry = Long.MAX_VALUE;
  private long largestExpiry = Long.MIN_VALUE;
  private boolean everlasting;
  private int kinds;
  private long partitions;
  private final PartitionNotes.Builder notes = new PartitionNotes.Builder();
  private long bytes;
  private long blocks;
  private long partitionBytes;
  private long largestPartitionBytes;
  private long rows;
  private long entries;
  private long tombstones;
  private long rowsOfOthers;
  private long partitionTombstones;
  private long partitionCells;
  private byte[] smallestKey = new byte[0];

  void addPartition() {
    partitions++;
    partitionBytes = 0;
    rowsOfOthers = rows;
    partitionTombstones = 0;
    partitionCells = 0;
  }

  /** Notes the current partition, which is complete. */
  void endPartition(MemorySegment key, int prefixLength) {
    largestPartitionBytes = Math.max(largestPartitionBytes, partitionBytes);
    notes.count(partitionBytes, partitionCells);
    if (prefixLength <= LISTED_PREFIX_BYTES
        && notes.isListed(partitionBytes, partitionTombstones)) {
      byte[] prefix = Bytes.toArray(key, 0, prefixLength);
      long partitionRows = rows - rowsOfOthers;
      notes.list(
          new PartitionNotes.Partition(
              prefix, 1, partitionBytes, partitionRows, partitionTombstones));
    }
  }

  /** Counts a block of entries. */
  void addBlock() {
    blocks++;
  }

  /** The size of the current partition. */
  long partitionBytes() {
    return partitionBytes;
  }

  /** The number of tombstones in the current partition; cells that will expire are none yet. */
  long partitionTombstones() {
    return partitionTombstones;
  }

  long entries() {
    return entries;
  }

  /** Adds an entry of an index. */
  void addOfIndex(Entry entry) {
    if (entries == 0) {
      smallestKey = Bytes.toArray(entry.keySegment(), entry.keyOffset(), entry.keyLength());
    }
    entries++;
  }

  /** Adds an entry; {@code newRow} if it is the first of a row. */
  void add(Entry entry, int kind, boolean newRow) {
    if (entries == 0) {
      smallestKey = Bytes.toArray(entry.keySegment(), entry.keyOffset(), entry.keyLength());
    }
    entries++;
    // the key of the partition counts once, as blocks do not repeat it for each row
    int keyLength = entry.keyLength() - (partitionBytes == 0 ? 0 : entry.prefixLength());
    long size = (long) keyLength + entry.valueLength();
    bytes += size;
    partitionBytes += size;
    switch (kind) {
      case Entry.PARTITION_DELETION -> {
        kinds |= SstableStatistics.KIND_PARTITION_DELETIONS;
        addDeletion(
            Bytes.getLong(entry.valueSegment(), entry.valueOffset()),
            Bytes.getInt(entry.valueSegment(), entry.valueOffset() + 8) & 0xFFFFFFFFL);
      }
      case Entry.STATIC_ROW -> {
        kinds |= SstableStatistics.KIND_STATIC_ROWS;
        addRow(entry);
      }
      case Entry.ROW -> {
        kinds |= SstableStatistics.KIND_ROWS;
        addRow(entry);
      }
      case Entry.ELEMENT -> addElement(entry, newRow);
      default -> addBound(entry);
    }
  }

  private void addBound(Entry entry) {
    kinds |= SstableStatistics.KIND_BOUNDS;
    bound.wrap(entry.valueSegment(), entry.valueOffset());
    if (bound.openedTimestamp() != RowFormat.NO_TIMESTAMP) {
      addDeletion(bound.openedTimestamp(), bound.openedSeconds());
    }
  }

  private void addElement(Entry entry, boolean newRow) {
    kinds |= SstableStatistics.KIND_MULTI_CELL;
    entry.view(element);
    if (newRow) {
      boolean isStatic = element.rowKeyLength() == entry.prefixLength() + 1;
      kinds |= isStatic ? SstableStatistics.KIND_STATIC_ROWS : SstableStatistics.KIND_ROWS;
      kinds |= SstableStatistics.KIND_UPDATES;
      rows++;
    }
    long at = element.rowOffset();
    row.wrap(entry.valueSegment(), at, entry.valueOffset() + entry.valueLength() - at);
    while (row.nextCell()) {
      addCell();
    }
  }

  private void addRow(Entry entry) {
    rows++;
    row.wrap(entry.valueSegment(), entry.valueOffset(), entry.valueLength());
    if (row.hasLiveness()) {
      addTimestamp(row.timestamp());
      addExpiry(row.isExpiring(), row.expirySeconds());
    } else {
      kinds |= SstableStatistics.KIND_UPDATES;
    }
    if (row.hasDeletion()) {
      kinds |= SstableStatistics.KIND_ROW_DELETIONS;
      addDeletion(row.deletionTimestamp(), row.deletionSeconds());
    }
    while (row.nextCell()) {
      addCell();
    }
  }

  private void addCell() {
    int flags = row.cellFlags();
    partitionCells += (flags & RowFormat.CELL_COLUMN_DELETION) == 0 ? 1 : 0;
    if ((flags & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION)) != 0) {
      kinds |= SstableStatistics.KIND_TOMBSTONES;
      addDeletion(row.cellTimestamp(), row.cellSeconds());
    } else {
      addTimestamp(row.cellTimestamp());
      addExpiry(row.cellIsExpiring(), row.cellSeconds());
    }
    if ((flags & (RowFormat.CELL_PATH | RowFormat.CELL_COLUMN_DELETION)) != 0) {
      kinds |= SstableStatistics.KIND_MULTI_CELL;
    }
    if ((flags & RowFormat.CELL_COUNTER) != 0) {
      kinds |= SstableStatistics.KIND_COUNTERS;
    }
  }

  private void addDeletion(long timestamp, long seconds) {
    addTimestamp(timestamp);
    everlasting = true;
    tombstones++;
    partitionTombstones++;
    histogram.add(seconds);
  }

  private void addTimestamp(long timestamp) {
    smallestTimestamp = Math.min(smallestTimestamp, timestamp);
    largestTimestamp = Math.max(largestTimestamp, timestamp);
  }

  private void addExpiry(boolean expiring, long seconds) {
    if (!expiring) {
      everlasting = true;
      return;
    }
    kinds |= SstableStatistics.KIND_EXPIRING;
    smallestExpiry = Math.min(smallestExpiry, seconds);
    largestExpiry = Math.max(largestExpiry, seconds);
    tombstones++;
    histogram.add(seconds);
  }

  SstableStatistics finish(ByteWriter lastKey, byte[] logPositions) {
    return new SstableStatistics(
        smallestTimestamp,
        largestTimestamp,
        smallestExpiry,
        everlasting || entries == 0 ? Long.MAX_VALUE : largestExpiry,
        smallestKey,
        lastKey.toArray(),
        kinds,
        partitions,
        rows,
        entries,
        tombstones,
        histogram.seconds(),
        histogram.counts(),
        largestPartitionBytes,
        bytes,
        blocks,
        notes.build(),
        logPositions);
  }

  /** Appends the statistics section. */
  static void write(SstableStatistics statistics, ByteWriter out) {
    out.putLong(statistics.smallestTimestamp()).putLong(statistics.largestTimestamp());
    out.putLong(statistics.smallestExpirySeconds()).putLong(statistics.largestExpirySeconds());
    out.putInt(statistics.kinds());
    out.putLong(statistics.partitions()).putLong(statistics.rows());
    out.putLong(statistics.entries()).putLong(statistics.tombstones());
    out.putVarint(statistics.smallestKey().length).putBytes(statistics.smallestKey());
    out.putVarint(statistics.largestKey().length).putBytes(statistics.largestKey());
    out.putVarint(statistics.histogramSeconds().length);
    for (int i = 0; i < statistics.histogramSeconds().length; i++) {
      out.putLong(statistics.histogramSeconds()[i]).putLong(statistics.histogramCounts()[i]);
    }
  }

  /** Appends the section of sizes. */
  static void writeSizes(SstableStatistics statistics, ByteWriter out) {
    out.putLong(statistics.largestPartitionBytes());
    out.putLong(statistics.bytes()).putLong(statistics.blocks());
  }

  /**
   * Decodes the statistics section.
   *
   * @param sizes the section of sizes, which may be empty or end after the first
   */
  static SstableStatistics read(
      MemorySegment segment,
      long offset,
      MemorySegment sizes,
      PartitionNotes notes,
      byte[] logPositions) {
    long at = offset + 68;
    int smallestLength = (int) Bytes.getVarint(segment, at);
    at = Bytes.varintEnd(segment, at);
    byte[] smallest = Bytes.toArray(segment, at, smallestLength);
    at += smallestLength;
    int largestLength = (int) Bytes.getVarint(segment, at);
    at = Bytes.varintEnd(segment, at);
    byte[] largest = Bytes.toArray(segment, at, largestLength);
    at += largestLength;
    long buckets = Bytes.getVarint(segment, at);
    at = Bytes.varintEnd(segment, at);
    if (buckets < 0 || buckets > BUCKET_LIMIT) {
      throw new IllegalArgumentException("invalid histogram: " + buckets + " buckets");
    }
    long[] seconds = new long[(int) buckets];
    long[] counts = new long[(int) buckets];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = Bytes.getLong(segment, at + 16L * i);
      counts[i] = Bytes.getLong(segment, at + 16L * i + 8);
    }
    return new SstableStatistics(
        Bytes.getLong(segment, offset),
        Bytes.getLong(segment, offset + 8),
        Bytes.getLong(segment, offset + 16),
        Bytes.getLong(segment, offset + 24),
        smallest,
        largest,
        Bytes.getInt(segment, offset + 32),
        Bytes.getLong(segment, offset + 36),
        Bytes.getLong(segment, offset + 44),
        Bytes.getLong(segment, offset + 52),
        Bytes.getLong(segment, offset + 60),
        seconds,
        counts,
        size(sizes, 0),
        size(sizes, 1),
        size(sizes, 2),
        notes,
        logPositions);
  }

  private static long size(MemorySegment sizes, int index) {
    long at = (long) index * Long.BYTES;
    return at + Long.BYTES <= sizes.byteSize() ? Bytes.getLong(sizes, at) : 0;
  }
}
