package io.helenus.storage.compaction;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.merge.PurgeRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Finds the timestamp below which deletions of a partition cover no data outside a compaction.
 * Memtables count for every partition, a file for the partitions between its smallest and largest
 * keys. One thread at a time.
 */
final class Overlaps implements PurgeRules.Purgeable {
  private final long memtableTimestamp;
  private final List<Overlap> files;
  private final MemorySegment[] smallest;
  private final MemorySegment[] largest;

  Overlaps(long memtableTimestamp, List<Overlap> files) {
    this.memtableTimestamp = memtableTimestamp;
    this.files = List.copyOf(files);
    smallest = new MemorySegment[files.size()];
    largest = new MemorySegment[files.size()];
    for (int i = 0; i < smallest.length; i++) {
      smallest[i] = nativeCopy(files.get(i).smallestKey());
      largest[i] = nativeCopy(files.get(i).largestKey());
    }
  }

  private static MemorySegment nativeCopy(byte[] bytes) {
    MemorySegment copy = Arena.ofAuto().allocate(bytes.length);
    MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return copy;
  }

  @Override
  public long purgeableBefore(MemorySegment prefix, long offset, int length) {
    long before = memtableTimestamp;
    for (int i = 0; i < smallest.length; i++) {
      if (files.get(i).smallestTimestamp() < before && mayHold(i, prefix, offset, length)) {
        before = files.get(i).smallestTimestamp();
      }
    }
    return before;
  }

  private boolean mayHold(int file, MemorySegment prefix, long offset, int length) {
    MemorySegment low = smallest[file];
    MemorySegment high = largest[file];
    long lowLength = Math.min(length, low.byteSize());
    return Bytes.compare(low, 0, lowLength, prefix, offset, length) <= 0
        && Bytes.compare(prefix, offset, length, high, 0, high.byteSize()) <= 0;
  }
}
