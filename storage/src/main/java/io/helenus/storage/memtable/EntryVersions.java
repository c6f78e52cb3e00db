package io.helenus.storage.memtable;

import java.lang.foreign.MemorySegment;

/**
 * Adds entries to a memtable's tree and replaces their values. The old version of an entry is
 * overwritten in place, unless an open snapshot sees it. Shard thread only.
 */
final class EntryVersions {
  private static final int GROWTH_SHIFT = 3;

  private final KeyTree tree;
  private final Records records;
  private final Snapshots snapshots;

  EntryVersions(KeyTree tree, Records records, Snapshots snapshots) {
    this.tree = tree;
    this.records = records;
    this.snapshots = snapshots;
  }

  /** Adds an entry whose key the tree's last find did not find. */
  void add(
      MemorySegment key,
      int keyLength,
      int prefix,
      long sequence,
      MemorySegment value,
      long offset,
      int length) {
    tree.insert(
        records.create(
            key, 0, keyLength, prefix, length, sequence, Slabs.NONE, value, offset, length));
  }

  /** Replaces the value of the entry that the tree's last find found. */
  void replace(long record, long sequence, MemorySegment value, long offset, int length) {
    long newestOpen = snapshots.newestOpen();
    boolean seen = newestOpen >= records.sequence(record);
    if (!seen && length <= records.valueCapacity(record)) {
      records.overwrite(record, sequence, value, offset, length);
      if (newestOpen == Snapshots.NONE) {
        records.cutOlder(record);
      }
      return;
    }
    long older = seen ? record : newestOpen == Snapshots.NONE ? Slabs.NONE : records.older(record);
    // a row that has grown once is likely to grow again
    int capacity = length + (length >> GROWTH_SHIFT);
    tree.replace(
        records.create(
            records.segment(record),
            Records.keyOffset(record),
            records.keyLength(record),
            records.prefixLength(record),
            capacity,
            sequence,
            older,
            value,
            offset,
            length));
  }
}
