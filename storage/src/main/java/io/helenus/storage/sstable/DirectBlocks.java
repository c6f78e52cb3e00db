package io.helenus.storage.sstable;

import io.helenus.storage.engine.StorageException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads blocks directly from the files into its own buffers, bypassing the cache: for compactions.
 * Blocks the calling thread; not for shards. One thread at a time.
 */
public final class DirectBlocks implements BlockSource, AutoCloseable {
  private static final int SMALLEST_BYTES = 1 << 14;

  private final List<Block> free = new ArrayList<>();

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
    int capacity = Math.max(SMALLEST_BYTES, Integer.highestOneBit(Math.max(1, length - 1)) << 1);
    return new Block(Arena.ofAuto().allocate(capacity, 8), 0, capacity);
  }

  @Override
  public void release(Block block) {
    free.add(block);
  }

  /** Drops the buffers. */
  @Override
  public void close() {
    free.clear();
  }
}
