package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.PartitionNotes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The section of a file with the notes on its partitions. Stateless. */
final class PartitionsSection {
  private PartitionsSection() {}

  /** Appends the section. */
  static void write(PartitionNotes notes, ByteWriter out) {
    writeCounts(notes.countsBySize(), out);
    out.putVarint(notes.partitions().size());
    for (PartitionNotes.Partition each : notes.partitions()) {
      out.putVarint(each.prefix().length).putBytes(each.prefix());
      out.putVarint(each.bytes()).putVarint(each.rows()).putVarint(each.tombstones());
    }
    writeCounts(notes.countsByCells(), out);
  }

  private static void writeCounts(long[] counts, ByteWriter out) {
    out.putVarint(counts.length);
    for (long count : counts) {
      out.putVarint(count);
    }
  }

  /** Decodes the section, which may end before the counts by cells. */
  static PartitionNotes read(MemorySegment section) {
    long[] countsBySize = readCounts(section, 0);
    long at = endOfCounts(section, 0);
    int size = limited(Bytes.getVarint(section, at), 2 * PartitionNotes.LISTED);
    at = Bytes.varintEnd(section, at);
    List<PartitionNotes.Partition> partitions = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int length = limited(Bytes.getVarint(section, at), section.byteSize());
      at = Bytes.varintEnd(section, at);
      byte[] prefix = Bytes.toArray(section, at, length);
      at += length;
      long bytes = Bytes.getVarint(section, at);
      at = Bytes.varintEnd(section, at);
      long rows = Bytes.getVarint(section, at);
      at = Bytes.varintEnd(section, at);
      long tombstones = Bytes.getVarint(section, at);
      at = Bytes.varintEnd(section, at);
      partitions.add(new PartitionNotes.Partition(prefix, 1, bytes, rows, tombstones));
    }
    long[] countsByCells = at < section.byteSize() ? readCounts(section, at) : new long[0];
    return new PartitionNotes(countsBySize, countsByCells, List.copyOf(partitions));
  }

  private static long[] readCounts(MemorySegment section, long start) {
    long[] counts = new long[limited(Bytes.getVarint(section, start), Long.SIZE)];
    long at = Bytes.varintEnd(section, start);
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Bytes.getVarint(section, at);
      at = Bytes.varintEnd(section, at);
    }
    return counts;
  }

  private static long endOfCounts(MemorySegment section, long start) {
    long count = Bytes.getVarint(section, start);
    long at = Bytes.varintEnd(section, start);
    for (long i = 0; i < count; i++) {
      at = Bytes.varintEnd(section, at);
    }
    return at;
  }

  private static int limited(long count, long limit) {
    if (count < 0 || count > limit) {
      throw new IllegalArgumentException("invalid section of partitions: " + count);
    }
    return (int) count;
  }
}
