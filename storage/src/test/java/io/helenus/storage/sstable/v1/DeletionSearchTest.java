package io.helenus.storage.sstable.v1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import org.junit.jupiter.api.Test;

/** The deletions in force in a block that starts in the midst of a partition. */
class DeletionSearchTest {
  private static final int PREFIX_BYTES = 4;
  private static final long NONE = RowFormat.NO_TIMESTAMP;

  private final BlockWalker walker = new BlockWalker();
  private final DeletionSearch search = new DeletionSearch(walker);
  private final BlockBuilder block = new BlockBuilder(new LargeSegments());

  private static ByteWriter row(int partition, int row) {
    return new ByteWriter(16)
        .putInt(partition)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_VALUE)
        .putInt(row)
        .putByte(KeyFormat.TAG_END);
  }

  private static ByteWriter boundBefore(int partition, int row) {
    return new ByteWriter(16)
        .putInt(partition)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_VALUE)
        .putInt(row)
        .putByte(KeyFormat.TAG_BOUND_BEFORE);
  }

  private static ByteWriter deletion(int partition) {
    return new ByteWriter(16).putInt(partition).putByte(KeyFormat.SECTION_PARTITION_DELETION);
  }

  private void add(ByteWriter key, ByteWriter value) {
    int shared = block.sharedWithLast(key.segment(), 0, key.size());
    block.add(shared, key.segment(), 0, key.size(), PREFIX_BYTES, value.segment(), 0, value.size());
  }

  private void addRow(int partition, int row) {
    add(row(partition, row), new ByteWriter(8).putInt(row));
  }

  private void addBound(int partition, int row, long closed, long opened) {
    ByteWriter value = new ByteWriter(BoundView.LIMIT_BYTES);
    BoundView.write(closed, closed / 10, opened, opened / 10, value);
    add(boundBefore(partition, row), value);
    block.markBounds();
  }

  private void open() {
    ByteWriter contents = block.finish();
    walker.open(contents.segment(), 0, contents.size());
  }

  /** Partition 1 from an earlier block on, and partitions 2 and 3. */
  private void writeBlock() {
    block.begin(100, 10, 200, 20);
    block.lastKey().clear();
    addRow(1, 1);
    addBound(1, 3, 200, 300);
    addRow(1, 5);
    addBound(1, 7, 300, NONE);
    addRow(1, 9);
    add(deletion(2), new ByteWriter(16).putLong(400).putInt(40));
    addRow(2, 1);
    addBound(2, 3, NONE, 500);
    addRow(2, 5);
    addBound(2, 7, 500, NONE);
    addRow(3, 1);
    open();
  }

  private boolean seek(ByteWriter key) {
    return search.seek(key.segment(), 0, key.size(), PREFIX_BYTES);
  }

  private void assertRange(long timestamp, int partition, int row) {
    ByteWriter key = row(partition, row);
    assertTrue(seek(key));
    assertEquals(timestamp, search.rangeTimestamp(), "row " + row + " of " + partition);
    if (timestamp != NONE) {
      assertEquals(timestamp / 10, search.rangeSeconds());
    }
  }

  @Test
  void theDeletionOfARangeIsTheLastOneThatWasOpened() {
    writeBlock();
    assertRange(200, 1, 0);
    assertRange(200, 1, 1);
    assertRange(300, 1, 4);
    assertRange(300, 1, 5);
    assertRange(NONE, 1, 8);
    assertRange(NONE, 1, 9);
    assertEquals(9, Bytes.getInt(walker.segment(), walker.valueOffset()), "and the entry is there");
    assertRange(NONE, 2, 1);
    assertRange(500, 2, 5);
    assertRange(NONE, 3, 1);
    assertFalse(seek(row(3, 2)), "after the last entry");
  }

  private long partitionDeletion(int partition) {
    ByteWriter prefix = new ByteWriter(8).putInt(partition);
    search.findPartitionDeletion(prefix.segment(), 0, PREFIX_BYTES);
    return search.partitionTimestamp();
  }

  @Test
  void theDeletionOfAPartitionIsInTheHeaderOrAnEntry() {
    writeBlock();
    assertEquals(100, partitionDeletion(1));
    assertEquals(10, search.partitionSeconds());
    assertEquals(400, partitionDeletion(2));
    assertEquals(40, search.partitionSeconds());
    assertEquals(NONE, partitionDeletion(3));
    assertEquals(NONE, partitionDeletion(0));
  }

  @Test
  void aBlockWithoutDeletionsHasNone() {
    block.begin(NONE, 0, NONE, 0);
    block.lastKey().clear();
    addRow(1, 1);
    addRow(1, 2);
    open();
    assertFalse(walker.header().mayHaveRangeDeletions());
    assertRange(NONE, 1, 2);
    assertEquals(NONE, partitionDeletion(1));
    assertFalse(seek(row(1, 3)));
  }
}
