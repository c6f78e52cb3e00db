package io.helenus.storage.read;

import io.helenus.storage.sstable.Sstable;
import java.util.concurrent.Executor;

/** Skeleton. */
public final class BlockCache {
  private final long budgetBytes;
  private final Executor io;
  private final Executor shard;

  /** Skeleton. */
  public BlockCache(long budgetBytes, Executor io, Executor shard) {
    this.budgetBytes = budgetBytes;
    this.io = io;
    this.shard = shard;
  }

  /** Forgets the blocks of a file that is gone. */
  public void forget(Sstable file) {
    throw new IllegalStateException(file.path() + budgetBytes + io + shard);
  }
}
