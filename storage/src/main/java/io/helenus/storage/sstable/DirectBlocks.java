package io.helenus.storage.sstable;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.memory.SlabPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads blocks directly from the files into its own buffers, bypassing the cache: for compactions.
 * Blocks the calling thread; not for shards. One thread at a time.
 */
public final class DirectBlocks implements BlockSource, AutoCloseable {
  private static final int SMALLEST_BYTES = 1 << 14;

  /** Larger blocks are rare: they are released at once. */
  private static final int KEPT_BYTES = 1 << 16;

  private final SlabPool slabs;
  private final List<Block> free = new ArrayList<>();

  /** Takes its buffers from slabs. */
  public DirectBlocks(SlabPool slabs) {
    this.slabs = slabs;
  }

  /** Without a limit: for tools and tests. */
  public DirectBlocks() {
    this(new SlabPool(Arena.ofAuto()));
  }

  @Override
  public Block acquire(Sstable file, long position, int storedLength, int length) {
    Block block = take(length);
    block.setLength(length);
    try {
      file.load(position, storedLength, block);
    } catch (StorageException damage) {
      release(block);
      throw damage;
    }
    return block;
  }

  private Block take(int length) {
    for (int i = free.size() - 1; i >= 0; i--) {
      if (free.get(i).capacity() >= length) {
        return free.remove(i);
      }
    }
    MemorySegment slab = slabs.take(Math.max(SMALLEST_BYTES, length));
    return new Block(slab, 0, (int) slab.byteSize());
  }

  @Override
  public void release(Block block) {
    if (block.capacity() <= KEPT_BYTES) {
      free.add(block);
    } else {
      slabs.giveBack(block.segment());
    }
  }

  /** Releases the buffers. All blocks must have been released. */
  @Override
  public void close() {
    for (Block block : free) {
      slabs.giveBack(block.segment());
    }
    free.clear();
  }
}
