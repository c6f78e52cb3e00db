package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;

/**
 * Finds the deletions in force at an entry of a block, which may have started before it. One
 * thread; reusable.
 */
final class DeletionSearch {
  private final BlockWalker block;
  private final ByteWriter deletionKey = new ByteWriter(64);
  private final BoundView bound = new BoundView();
  private long partitionTimestamp;
  private long partitionSeconds;
  private long rangeTimestamp;
  private long rangeSeconds;

  /** Moves a walker. */
  DeletionSearch(BlockWalker block) {
    this.block = block;
  }

  /**
   * Finds the deletion of a partition whose entries may start in the block: {@link
   * #partitionTimestamp}. The walker may be at any entry then.
   */
  void findPartitionDeletion(MemorySegment prefix, long offset, int length) {
    BlockHeader header = block.header();
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    block.first();
    if (isIn(prefix, offset, length) && header.partitionTimestamp() != RowFormat.NO_TIMESTAMP) {
      partitionTimestamp = header.partitionTimestamp();
      partitionSeconds = header.partitionSeconds();
      return;
    }
    deletionKey.clear().putBytes(prefix, offset, length);
    deletionKey.putByte(KeyFormat.SECTION_PARTITION_DELETION);
    int size = deletionKey.size();
    if (block.seek(deletionKey.segment(), 0, size) && block.isAt(deletionKey.segment(), 0, size)) {
      partitionTimestamp = Bytes.getLong(block.segment(), block.valueOffset());
      partitionSeconds = Bytes.getInt(block.segment(), block.valueOffset() + 8) & 0xFFFFFFFFL;
    }
  }

  /**
   * Seeks as {@link BlockWalker#seek} does and finds the deletion of a range in force there, in the
   * partition identified by the first {@code prefix} bytes of the target: {@link #rangeTimestamp}.
   */
  boolean seek(MemorySegment target, long offset, int length, int prefix) {
    BlockHeader header = block.header();
    rangeTimestamp = RowFormat.NO_TIMESTAMP;
    if (!header.mayHaveRangeDeletions()) {
      return block.seek(target, offset, length);
    }
    block.first();
    if (isIn(target, offset, prefix)) {
      rangeTimestamp = header.rangeTimestamp();
      rangeSeconds = header.rangeSeconds();
    }
    while (block.compareKey(target, offset, length) < 0) {
      if (isIn(target, offset, prefix) && isBound()) {
        bound.wrap(block.segment(), block.valueOffset());
        rangeTimestamp = bound.openedTimestamp();
        rangeSeconds = bound.openedSeconds();
      }
      if (!block.next()) {
        return false;
      }
    }
    return true;
  }

  private boolean isIn(MemorySegment target, long offset, int prefix) {
    return block.prefixLength() == prefix
        && Bytes.equal(block.keySegment(), 0, prefix, target, offset, prefix);
  }

  private boolean isBound() {
    MemorySegment key = block.keySegment();
    int tag = Bytes.getByte(key, block.keyLength() - 1);
    return tag != KeyFormat.TAG_END
        && tag != KeyFormat.TAG_ELEMENT
        && Bytes.getByte(key, block.prefixLength()) == KeyFormat.SECTION_ROWS;
  }

  /** The timestamp of the deletion of the partition, or {@link RowFormat#NO_TIMESTAMP}. */
  long partitionTimestamp() {
    return partitionTimestamp;
  }

  long partitionSeconds() {
    return partitionSeconds;
  }

  /** The timestamp of the deletion of a range, or {@link RowFormat#NO_TIMESTAMP}. */
  long rangeTimestamp() {
    return rangeTimestamp;
  }

  long rangeSeconds() {
    return rangeSeconds;
  }
}
