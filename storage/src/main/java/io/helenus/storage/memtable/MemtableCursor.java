package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Walks the rows or the range tombstone bounds of a memtable as of a snapshot. Never waits. Shard
 * thread, or any one thread once the memtable is frozen. Reusable: {@link Memtable#openRows}.
 */
public final class MemtableCursor extends EntryCursor {
  private final KeyTree.Position position = new KeyTree.Position();
  private final BoundView bound = new BoundView();
  private final ByteWriter deletionKey = new ByteWriter(64);
  private @Nullable KeyTree tree;
  private @Nullable Records records;
  private boolean bounds;
  private boolean partitionDeletions;
  private long snapshot;
  private int changes;

  /** Creates a closed cursor. */
  public MemtableCursor() {}

  void open(
      KeyTree newTree,
      Records newRecords,
      boolean overBounds,
      boolean hasPartitionDeletions,
      long newSnapshot) {
    tree = newTree;
    records = newRecords;
    bounds = overBounds;
    partitionDeletions = hasPartitionDeletions;
    snapshot = newSnapshot;
    openTimestamp = RowFormat.NO_TIMESTAMP;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
  }

  private KeyTree tree() {
    if (tree == null) {
      throw new IllegalStateException("the cursor is not open");
    }
    return tree;
  }

  private Records records() {
    if (records == null) {
      throw new IllegalStateException("the cursor is not open");
    }
    return records;
  }

  @Override
  public Step seek(MemorySegment key, long offset, int length, int prefix) {
    openTimestamp = RowFormat.NO_TIMESTAMP;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    KeyTree tree = tree();
    if (prefix > 0) {
      findDeletions(key, offset, length, prefix);
    }
    tree.seek(key, offset, length, position);
    changes = tree.changes();
    unchanged = 0;
    return settleForward();
  }

  private void findDeletions(MemorySegment key, long offset, int length, int prefix) {
    KeyTree tree = tree();
    if (bounds) {
      tree.seek(key, offset, length, position);
      position.slot--;
      if (settleBackward() == Step.READY
          && prefixLength == prefix
          && Bytes.equal(keySegment, keyOffset, prefix, key, offset, prefix)) {
        bound.wrap(valueSegment, valueOffset);
        openTimestamp = bound.openedTimestamp();
        openSeconds = bound.openedSeconds();
      }
    } else if (partitionDeletions) {
      deletionKey.clear().putBytes(key, offset, prefix);
      deletionKey.putByte(KeyFormat.SECTION_PARTITION_DELETION);
      if (tree.seek(deletionKey.segment(), 0, deletionKey.size(), position)
          && show(tree.settleForward(position))) {
        partitionTimestamp = Bytes.getLong(valueSegment, valueOffset);
        partitionSeconds = Bytes.getInt(valueSegment, valueOffset + 8) & 0xFFFFFFFFL;
      }
    }
  }

  /** Moves to the version of an entry that the snapshot sees; false if it sees none. */
  private boolean show(long newest) {
    Records records = records();
    MemorySegment segment = records.segment(newest);
    long at = Records.keyOffset(newest);
    if (Records.sequence(segment, at) > snapshot) {
      long record = visible(records, newest);
      if (record == Slabs.NONE) {
        return false;
      }
      segment = records.segment(record);
      at = Records.keyOffset(record);
    }
    keySegment = segment;
    valueSegment = segment;
    keyOffset = at;
    long lengths = Records.keyAndPrefixLength(segment, at);
    keyLength = (int) (lengths >>> Integer.SIZE);
    prefixLength = (int) lengths;
    valueLength = Records.valueLength(segment, at);
    valueOffset = at + keyLength;
    // a bound that neither closes nor opens a deletion has been removed
    return !bounds || Bytes.getByte(segment, valueOffset) != 0;
  }

  /** The newest version of an entry that the snapshot sees; 0 for none. */
  private long visible(Records records, long newest) {
    long record = newest;
    while (record != Slabs.NONE && records.sequence(record) > snapshot) {
      record = records.older(record);
    }
    return record;
  }

  private Step settleForward() {
    KeyTree tree = tree();
    while (true) {
      long record = tree.settleForward(position);
      if (record == Slabs.NONE) {
        return Step.END;
      }
      if (show(record)) {
        return Step.READY;
      }
      position.slot++;
    }
  }

  private Step settleBackward() {
    KeyTree tree = tree();
    while (true) {
      long record = tree.settleBackward(position);
      if (record == Slabs.NONE) {
        return Step.END;
      }
      if (show(record)) {
        return Step.READY;
      }
      position.slot--;
    }
  }

  @Override
  public Step find(MemorySegment key, long offset, int length, int prefix) {
    openTimestamp = RowFormat.NO_TIMESTAMP;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    if (prefix > 0) {
      findDeletions(key, offset, length, prefix);
    }
    KeyTree tree = tree();
    boolean here = tree.seek(key, offset, length, position);
    changes = tree.changes();
    unchanged = 0;
    return here && show(tree.settleForward(position)) ? Step.READY : Step.END;
  }

  @Override
  public Step seekBefore(MemorySegment key, long offset, int length, int prefix) {
    openTimestamp = RowFormat.NO_TIMESTAMP;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    if (prefix > 0) {
      findDeletions(key, offset, length, prefix);
    }
    KeyTree tree = tree();
    tree.seek(key, offset, length, position);
    changes = tree.changes();
    unchanged = 0;
    position.slot--;
    return settleBackward();
  }

  @Override
  public Step next() {
    KeyTree tree = tree();
    if (changes != tree.changes()) {
      return nextAfterChange(tree);
    }
    position.slot++;
    long record = KeyTree.inLeaf(position);
    if (record != Slabs.NONE && show(record)) {
      unchanged = position.skip;
      return Step.READY;
    }
    long leaf = position.leaf;
    Step step = settleForward();
    unchanged = position.leaf == leaf ? position.skip : 0;
    return step;
  }

  private Step nextAfterChange(KeyTree tree) {
    boolean here = tree.seek(keySegment, keyOffset, keyLength, position);
    changes = tree.changes();
    unchanged = 0;
    if (here) {
      position.slot++;
    }
    return settleForward();
  }

  @Override
  public Step previous() {
    KeyTree tree = tree();
    if (changes != tree.changes()) {
      tree.seek(keySegment, keyOffset, keyLength, position);
      changes = tree.changes();
    }
    unchanged = 0;
    position.slot--;
    return settleBackward();
  }

  @Override
  public void close() {
    tree = null;
    records = null;
    keySegment = MemorySegment.NULL;
    valueSegment = MemorySegment.NULL;
    position.segment = MemorySegment.NULL;
  }
}
