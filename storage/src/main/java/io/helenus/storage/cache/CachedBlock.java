package io.helenus.storage.cache;

import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.Sstable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A block of an SSTable in the {@link BlockCache}, pinned while readers use it. Shard thread only,
 * except for its memory, which an I/O thread takes and writes while the block is loading.
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

  /** Without memory, which {@link #take} supplies. */
  CachedBlock(Sstable file, long position, long capacity) {
    super(MemorySegment.NULL, 0, (int) capacity);
    this.file = file;
    this.position = position;
  }

  /** Takes the memory. On the I/O thread: that of a large block may have to be cleared first. */
  void take(SlabPool pool) {
    supply(pool.take(capacity()));
  }

  /** Gives the memory back, if the block has any. */
  void giveBack(SlabPool pool) {
    MemorySegment memory = segment();
    if (memory.byteSize() > 0) {
      pool.giveBack(memory);
    }
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
