package io.helenus.storage.sstable;

import org.jspecify.annotations.Nullable;

/** Provides a cursor over an SSTable with blocks, from a cache or from the file itself. */
public interface BlockSource {
  /**
   * Returns the block at a position, pinned until {@link #release}. Returns null if it is not in
   * memory; it is then being loaded, and the owner of the cursor is notified. Raises
   * StorageException if the block cannot be read.
   */
  @Nullable Block acquire(Sstable file, long position, int storedLength, int length);

  /** Hints that a block will be needed soon. */
  default void prefetch(Sstable file, long position, int storedLength, int length) {
    // optional
  }

  /** Releases a block that was acquired. */
  void release(Block block);
}
