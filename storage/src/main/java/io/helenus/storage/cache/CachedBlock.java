package io.helenus.storage.cache;

import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.Sstable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A block of an SSTable in the {@link BlockCache}, pinned while readers use it. Shard thread only,
 * except for its memory, which an I/O thread writes while the block is loading.
 */
public final class CachedBlock extends Block {
  final Sstable file;
  final long position;
  int pins;
  boolean loading = true;
  boolean referenced;
  boolean prefetched;

  /** The readers waiting for the load; each gets a pin if it succeeds. */
  final List<BlockCache.Waiter> waiters = new ArrayList<>(1);

  CachedBlock(Sstable file, long position, MemorySegment memory) {
    super(memory, 0, (int) memory.byteSize());
    this.file = file;
    this.position = position;
  }

  /** Whether this is the block at a position of a file. */
  public boolean isAt(Sstable otherFile, long otherPosition) {
    return position == otherPosition && isOf(otherFile);
  }

  /** Whether the block belongs to a file. */
  @SuppressWarnings("ReferenceEquality") // one object per open file
  boolean isOf(Sstable other) {
    return file == other;
  }
}
