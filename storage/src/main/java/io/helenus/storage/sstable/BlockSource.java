package io.helenus.storage.sstable;

import org.jspecify.annotations.Nullable;

/** Where a cursor over a file gets blocks from: a cache, or the file itself. */
public interface BlockSource {
  /**
   * The block at a position, pinned until {@link #release}; or null when it is not in memory: it is
   * being loaded and whoever drives the cursor hears of it. Raises StorageException where the load
   * failed.
   */
  @Nullable Block acquire(Sstable file, long position, int storedLength, int length);

  /** Says that a block will be needed soon. */
  default void prefetch(Sstable file, long position, int storedLength, int length) {
    // a source that loads on demand has nothing to prepare
  }

  /** Gives a block back. */
  void release(Block block);
}
