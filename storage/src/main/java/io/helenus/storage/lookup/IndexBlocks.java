package io.helenus.storage.lookup;

import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.CachedBlock;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.Sstable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of the files of an index for one read, and the waiting for them. Shard thread only.
 */
public final class IndexBlocks implements BlockSource, BlockCache.Waiter {
  private final BlockCache cache;
  private final Runnable whenIdle;
  private final Runnable onDamage;
  private final List<CachedBlock> granted = new ArrayList<>(2);
  private @Nullable Runnable continuation;
  private @Nullable StorageException failure;
  private int pendingLoads;
  private boolean closed;

  /**
   * Reads through a cache.
   *
   * @param whenIdle called once after {@link #close}, when no block is being loaded any more
   * @param onDamage called when a block cannot be loaded
   */
  public IndexBlocks(BlockCache cache, Runnable whenIdle, Runnable onDamage) {
    this.onDamage = onDamage;
    this.cache = cache;
    this.whenIdle = whenIdle;
  }

  /** Raises the failure of a load. */
  public void requireNoFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Whether blocks are being loaded. */
  public boolean isWaiting() {
    return pendingLoads > 0;
  }

  /** Calls back once no block is being loaded any more. */
  public void whenReady(Runnable newContinuation) {
    if (pendingLoads == 0) {
      cache.shard().execute(newContinuation);
    } else {
      continuation = newContinuation;
    }
  }

  @Override
  public @Nullable Block acquire(Sstable file, long position, int storedLength, int length) {
    for (int i = granted.size() - 1; i >= 0; i--) {
      if (granted.get(i).isAt(file, position)) {
        return granted.remove(i);
      }
    }
    pendingLoads++;
    CachedBlock block = cache.acquire(file, position, storedLength, length, this);
    if (block != null) {
      pendingLoads--;
    }
    return block;
  }

  @Override
  public void prefetch(Sstable file, long position, int storedLength, int length) {
    cache.prefetch(file, position, storedLength, length);
  }

  @Override
  public void release(Block block) {
    cache.release((CachedBlock) block);
  }

  @Override
  public void onLoaded(CachedBlock block) {
    if (closed) {
      cache.release(block);
    } else {
      granted.add(block);
    }
    loadEnded();
  }

  @Override
  public void onLoadFailed(StorageException cause) {
    if (failure == null) {
      failure = cause;
      onDamage.run();
    }
    loadEnded();
  }

  @Override
  public void onFilterLoaded() {
    throw new IllegalStateException("files of indexes have no filters");
  }

  private void loadEnded() {
    pendingLoads--;
    if (pendingLoads > 0) {
      return;
    }
    if (closed) {
      whenIdle.run();
      return;
    }
    Runnable next = continuation;
    if (next != null) {
      continuation = null;
      next.run();
    }
  }

  /** Releases the blocks. All cursors must have been closed. */
  public void close() {
    closed = true;
    continuation = null;
    granted.forEach(cache::release);
    granted.clear();
    if (pendingLoads == 0) {
      whenIdle.run();
    }
  }
}
