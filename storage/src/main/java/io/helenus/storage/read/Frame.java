package io.helenus.storage.read;

import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.Sstable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A block in the cache. Shard thread, but for its memory while it is being loaded. */
final class Frame extends Block {
  final Sstable file;
  final long position;
  int pins;
  boolean loading = true;
  boolean referenced;
  boolean prefetched;

  /** Who waits for the load; each gets a pin when it succeeds. */
  final List<BlockCache.Waiter> waiters = new ArrayList<>(1);

  Frame(Sstable file, long position, MemorySegment memory) {
    super(memory, 0, (int) memory.byteSize());
    this.file = file;
    this.position = position;
  }

  /** Whether the block is of this file. */
  @SuppressWarnings("ReferenceEquality") // one object per open file
  boolean isOf(Sstable other) {
    return file == other;
  }
}
