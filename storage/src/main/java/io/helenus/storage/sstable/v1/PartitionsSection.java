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
    out.putVarint(notes.countsBySize().length);
    for (long count : notes.countsBySize()) {
      out.putVarint(count);
    }
    out.putVarint(notes.partitions().size());
    for (PartitionNotes.Partition each : notes.partitions()) {
      out.putVarint(each.prefix().length).putBytes(each.prefix());
      out.putVarint(each.bytes()).putVarint(each.rows()).putVarint(each.tombstones());
    }
  }

  /** Decodes the section. */
  static PartitionNotes read(MemorySegment section) {
    long at = Bytes.varintEnd(section, 0);
    long[] countsBySize = new long[limited(Bytes.getVarint(section, 0), Long.SIZE)];
    for (int i = 0; i < countsBySize.length; i++) {
      countsBySize[i] = Bytes.getVarint(section, at);
      at = Bytes.varintEnd(section, at);
    }
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
    return new PartitionNotes(countsBySize, List.copyOf(partitions));
  }

  private static int limited(long count, long limit) {
    if (count < 0 || count > limit) {
      throw new IllegalArgumentException("invalid section of partitions: " + count);
    }
    return (int) count;
  }
}
