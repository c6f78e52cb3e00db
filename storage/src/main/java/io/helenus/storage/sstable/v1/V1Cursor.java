package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.SstableStatistics;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a file. It uses the top index, one index block and one data block; the latter two
 * are pinned while the cursor is in them. If a block is missing, a step keeps its state, so that it
 * can be repeated. One thread.
 */
final class V1Cursor extends EntryCursor {
  /** The block that the current step is missing. */
  private enum MissingBlock {
    NOTHING,
    INDEX_BLOCK,
    DATA_BLOCK
  }

  private enum Move {
    SEEK(true),
    FIND(true),
    SEEK_BEFORE(false),
    NEXT(true),
    PREVIOUS(false);

    private final boolean forward;

    Move(boolean forward) {
      this.forward = forward;
    }
  }

  private static final int AHEAD_LIMIT = 4;

  private V1Sstable file;
  private BlockSource source;
  private final BlockWalker top = new BlockWalker();
  private final BlockWalker index = new BlockWalker();
  private final BlockWalker data = new BlockWalker();
  private final BlockWalker ahead = new BlockWalker();
  private final DeletionSearch deletions = new DeletionSearch(data);
  private boolean hasPartitionDeletions;
  private @Nullable Block indexBlock;
  private @Nullable Block dataBlock;
  private long indexPosition = -1;
  private long dataPosition = -1;
  private int sequentialBlocks;
  private int aheadBlocks;
  // whether the walkers are at an entry and its handles
  private boolean positioned;
  private MissingBlock missing = MissingBlock.NOTHING;

  V1Cursor(V1Sstable file, BlockSource source) {
    this.file = file;
    this.source = source;
    reopen(file, source);
  }

  /** Reopens a closed cursor over another file. */
  void reopen(V1Sstable newFile, BlockSource newSource) {
    file = newFile;
    source = newSource;
    top.open(newFile.top(), 0, (int) newFile.top().byteSize());
    hasPartitionDeletions =
        (newFile.statistics().kinds() & SstableStatistics.KIND_PARTITION_DELETIONS) != 0;
  }

  @Override
  public Step seek(MemorySegment key, long offset, int length, int prefix) {
    return step(Move.SEEK, key, offset, length, prefix);
  }

  @Override
  public Step find(MemorySegment key, long offset, int length, int prefix) {
    return step(Move.FIND, key, offset, length, prefix);
  }

  @Override
  public Step seekBefore(MemorySegment key, long offset, int length, int prefix) {
    return step(Move.SEEK_BEFORE, key, offset, length, prefix);
  }

  @Override
  public Step next() {
    if (missing == MissingBlock.NOTHING && nextInBlock()) {
      unchanged = data.shared();
      return show();
    }
    return step(Move.NEXT, MemorySegment.NULL, 0, 0, 0);
  }

  @Override
  public Step previous() {
    return step(Move.PREVIOUS, MemorySegment.NULL, 0, 0, 0);
  }

  /**
   * Takes or resumes a step. A block which passes its checksum but cannot be decoded is reported
   * here and in {@link #nextInBlock}.
   */
  private Step step(Move move, MemorySegment key, long offset, int length, int prefix) {
    unchanged = 0;
    try {
      if (missing != MissingBlock.NOTHING) {
        return enterBlock(move.forward);
      }
      if (move == Move.NEXT) {
        return nextBlock();
      }
      if (move == Move.PREVIOUS) {
        return data.previous() ? show() : previousBlock();
      }
      if (move == Move.SEEK && prefix == 0 && seekAhead(key, offset, length)) {
        return show();
      }
      if (!open(key, offset, length)) {
        return Step.WAITING;
      }
      boolean here = seekInBlock(key, offset, length, prefix);
      if (move == Move.FIND) {
        return here && data.isAt(key, offset, length) ? show() : Step.END;
      }
      if (move == Move.SEEK) {
        return here ? show() : nextBlock();
      }
      return !here || data.previous() ? show() : previousBlock();
    } catch (IllegalArgumentException | IndexOutOfBoundsException damage) {
      throw damaged(damage);
    }
  }

  private boolean nextInBlock() {
    try {
      return data.next();
    } catch (IllegalArgumentException | IndexOutOfBoundsException damage) {
      throw damaged(damage);
    }
  }

  /** Finds the elements of a row, which follow it, without searching index and block again. */
  private boolean seekAhead(MemorySegment key, long offset, int length) {
    if (!positioned || !data.seekAhead(key, offset, length)) {
      return false;
    }
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    openTimestamp = RowFormat.NO_TIMESTAMP;
    sequentialBlocks = 0;
    aheadBlocks = 0;
    return true;
  }

  private boolean seekInBlock(MemorySegment key, long offset, int length, int prefix) {
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    openTimestamp = RowFormat.NO_TIMESTAMP;
    if (prefix == 0) {
      return data.seek(key, offset, length);
    }
    if (hasPartitionDeletions) {
      deletions.findPartitionDeletion(key, offset, prefix);
      partitionTimestamp = deletions.partitionTimestamp();
      partitionSeconds = deletions.partitionSeconds();
    }
    boolean here = deletions.seek(key, offset, length, prefix);
    openTimestamp = deletions.rangeTimestamp();
    openSeconds = deletions.rangeSeconds();
    return here;
  }

  /** Opens the data block that a key belongs to; false if a block is missing. */
  private boolean open(MemorySegment key, long offset, int length) {
    positioned = false;
    sequentialBlocks = 0;
    aheadBlocks = 0;
    if (!top.seekFloor(key, offset, length) || !openIndexBlock()) {
      return false;
    }
    if (!index.seekFloor(key, offset, length)) {
      // the separator of an index block is the key of its first entry
      throw new IllegalArgumentException("index block begins after its separator");
    }
    positioned = openDataBlock();
    return positioned;
  }

  private boolean openIndexBlock() {
    MemorySegment handle = top.segment();
    long at = top.valueOffset();
    long position = Bytes.getVarint(handle, at);
    if (position == indexPosition) {
      return true;
    }
    Block block = acquire(handle, at);
    if (block == null) {
      return false;
    }
    releaseIndex();
    aheadBlocks = 0;
    indexBlock = block;
    indexPosition = position;
    index.open(block.segment(), block.offset(), block.length());
    return true;
  }

  private boolean openDataBlock() {
    MemorySegment handle = index.segment();
    long at = index.valueOffset();
    long position = Bytes.getVarint(handle, at);
    if (position == dataPosition) {
      return true;
    }
    Block block = acquire(handle, at);
    if (block == null) {
      return false;
    }
    releaseData();
    dataBlock = block;
    dataPosition = position;
    data.open(block.segment(), block.offset(), block.length());
    return true;
  }

  private @Nullable Block acquire(MemorySegment handle, long at) {
    long position = Bytes.getVarint(handle, at);
    long storedAt = Bytes.varintEnd(handle, at);
    int stored = (int) Bytes.getVarint(handle, storedAt);
    int length = (int) Bytes.getVarint(handle, Bytes.varintEnd(handle, storedAt));
    return source.acquire(file, position, stored, length);
  }

  private Step show() {
    keySegment = data.keySegment();
    keyOffset = 0;
    keyLength = data.keyLength();
    prefixLength = data.prefixLength();
    valueSegment = data.segment();
    valueOffset = data.valueOffset();
    valueLength = data.valueLength();
    return Step.READY;
  }

  private Step nextBlock() {
    if (index.next()) {
      missing = MissingBlock.DATA_BLOCK;
    } else if (top.next()) {
      missing = MissingBlock.INDEX_BLOCK;
    } else {
      return Step.END;
    }
    return enterBlock(true);
  }

  private Step previousBlock() {
    if (index.previous()) {
      missing = MissingBlock.DATA_BLOCK;
    } else if (top.previous()) {
      missing = MissingBlock.INDEX_BLOCK;
    } else {
      return Step.END;
    }
    return enterBlock(false);
  }

  /** Moves to the near end of the next or previous data block once its blocks are in memory. */
  private Step enterBlock(boolean forward) {
    if (missing == MissingBlock.INDEX_BLOCK) {
      if (!openIndexBlock()) {
        return Step.WAITING;
      }
      if (forward) {
        index.first();
      } else {
        index.last();
      }
      missing = MissingBlock.DATA_BLOCK;
    }
    if (!openDataBlock()) {
      return Step.WAITING;
    }
    missing = MissingBlock.NOTHING;
    if (forward) {
      readAhead();
      data.first();
    } else {
      data.last();
    }
    return show();
  }

  /**
   * Prefetches the following blocks of the index block, because a cursor that has moved from block
   * to block is likely to continue. Each step prefetches one block further ahead, up to a limit.
   */
  private void readAhead() {
    Block block = indexBlock;
    if (block == null || ++sequentialBlocks < 2) {
      return;
    }
    if (aheadBlocks == 0) {
      ahead.open(block.segment(), block.offset(), block.length());
      if (!ahead.seek(index.keySegment(), 0, index.keyLength())) {
        return;
      }
    } else {
      aheadBlocks--;
    }
    while (aheadBlocks < AHEAD_LIMIT && aheadBlocks < sequentialBlocks && ahead.next()) {
      aheadBlocks++;
      MemorySegment handle = ahead.segment();
      long at = ahead.valueOffset();
      long storedAt = Bytes.varintEnd(handle, at);
      source.prefetch(
          file,
          Bytes.getVarint(handle, at),
          (int) Bytes.getVarint(handle, storedAt),
          (int) Bytes.getVarint(handle, Bytes.varintEnd(handle, storedAt)));
    }
  }

  private StorageException damaged(RuntimeException damage) {
    return new StorageException(
        file.path() + " is damaged: the block at offset " + dataPosition + " cannot be decoded",
        damage);
  }

  @Override
  public double shareBefore() {
    return (double) Math.max(0, dataPosition) / file.sizeBytes();
  }

  private void releaseIndex() {
    if (indexBlock != null) {
      source.release(indexBlock);
      indexBlock = null;
    }
    indexPosition = -1;
  }

  private void releaseData() {
    if (dataBlock != null) {
      source.release(dataBlock);
      dataBlock = null;
    }
    dataPosition = -1;
  }

  @Override
  public void close() {
    releaseIndex();
    releaseData();
    positioned = false;
    missing = MissingBlock.NOTHING;
  }
}
