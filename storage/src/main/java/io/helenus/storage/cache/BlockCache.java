package io.helenus.storage.cache;

import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.sstable.Sstable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One shard's cache of SSTable blocks: verified, decompressed, in native memory, up to a budget in
 * bytes. Missing blocks are loaded on an I/O executor, and the waiters are called back, so the
 * shard never blocks. Eviction uses the CLOCK algorithm: a block used since the hand last passed
 * gets another round; pinned blocks stay. Only pinned and loading blocks can exceed the budget. A
 * block that is larger than half of it evicts nothing and is dropped after its last use. Shard
 * thread only.
 */
public final class BlockCache {
  private static final int INITIAL_SLOTS = 64;
  private static final int PREFETCH_LIMIT = 16;
  private static final int PREFETCH_SHARE = 64;

  /** Waits for a block or a filter. Called on the shard's thread. */
  public interface Waiter {
    /** A requested block has been loaded and is pinned for the waiter. */
    void onLoaded(CachedBlock block);

    /** A requested block or filter could not be loaded. */
    void onLoadFailed(StorageException failure);

    /** A requested filter has been loaded. */
    void onFilterLoaded();
  }

  private final long budgetBytes;
  private final SlabPool pool;
  private final Executor io;
  private final Executor shard;
  private final FatalErrors fatal;

  // open addressing with linear probing; length is a power of two, at most half full
  private @Nullable CachedBlock[] slots = new CachedBlock[INITIAL_SLOTS];
  private int count;
  private int hand;
  private long bytes;
  private long oversizedBytes;
  private long hits;
  private long misses;
  private int prefetching;

  /** An empty cache. Loads run on the I/O executor, which may block, callbacks on the shard's. */
  public BlockCache(
      long budgetBytes, SlabPool pool, Executor io, Executor shard, FatalErrors fatal) {
    this.budgetBytes = budgetBytes;
    this.pool = pool;
    this.io = io;
    this.shard = shard;
    this.fatal = fatal;
  }

  /** The size of the cached blocks in bytes. */
  public long bytes() {
    return bytes + oversizedBytes;
  }

  /** The number of lookups that found their block. */
  public long hits() {
    return hits;
  }

  /** The number of lookups that had to load their block. */
  public long misses() {
    return misses;
  }

  /** The current statistics. */
  public CacheStatistics statistics() {
    return new CacheStatistics(budgetBytes, bytes(), count, hits, hits + misses);
  }

  /** The shard's executor. */
  public Executor shard() {
    return shard;
  }

  /**
   * Returns a block, pinned. If it has to be loaded first, returns null and notifies the waiter
   * when that is done.
   */
  public @Nullable CachedBlock acquire(
      Sstable file, long position, int storedLength, int length, Waiter waiter) {
    CachedBlock block = slots[find(file, position)];
    if (block == null) {
      misses++;
      block = newFrame(file, position, length);
      block.waiters.add(waiter);
      load(block, storedLength);
      return null;
    }
    if (block.loading) {
      block.waiters.add(waiter);
      return null;
    }
    hits++;
    block.pins++;
    block.referenced = true;
    return block;
  }

  /** Starts loading a block that will be needed soon, unless too many such loads are running. */
  public void prefetch(Sstable file, long position, int storedLength, int length) {
    boolean room = budgetBytes >= (long) PREFETCH_SHARE * length && prefetching < PREFETCH_LIMIT;
    if (room && slots[find(file, position)] == null) {
      CachedBlock block = newFrame(file, position, length);
      block.prefetched = true;
      prefetching++;
      load(block, storedLength);
    }
  }

  /** Removes a pin. */
  public void release(CachedBlock block) {
    block.pins--;
    if (block.pins < 0) {
      throw new IllegalStateException("block released more often than acquired");
    }
    if (block.pins == 0 && (isOversized(block.capacity()) || bytes > budgetBytes)) {
      remove(find(block.file, block.position));
    }
  }

  /** Drops the blocks of a file that is no longer used. */
  public void forget(Sstable file) {
    for (int i = slots.length - 1; i >= 0; i--) {
      CachedBlock block = slots[i];
      // removal may move another block of the file to this slot
      while (block != null && block.isOf(file) && !block.loading && block.pins == 0) {
        remove(i);
        block = slots[i];
      }
    }
  }

  private boolean isOversized(long capacity) {
    return capacity > budgetBytes / 2;
  }

  private void count(CachedBlock block, int sign) {
    if (isOversized(block.capacity())) {
      oversizedBytes += (long) sign * block.capacity();
    } else {
      bytes += (long) sign * block.capacity();
    }
  }

  private CachedBlock newFrame(Sstable file, long position, int length) {
    long capacity = SlabPool.rounded(length);
    if (!isOversized(capacity)) {
      makeRoom(capacity);
    }
    CachedBlock block = new CachedBlock(file, position, capacity);
    block.setLength(length);
    insert(block);
    return block;
  }

  private void load(CachedBlock block, int storedLength) {
    try {
      io.execute(() -> loadNow(block, storedLength));
    } catch (Throwable e) {
      // the executor rejected the load, so it would never finish
      removeUnloaded(block);
      throw e;
    }
  }

  private void loadNow(CachedBlock block, int storedLength) {
    StorageException failure = null;
    try {
      block.take(pool);
      block.file.load(block.position, storedLength, block);
    } catch (Throwable e) {
      failure =
          contain(fatal, "the block at offset " + block.position + " of " + block.file.path(), e);
    }
    StorageException result = failure;
    shard.execute(() -> finishLoad(block, result));
  }

  static StorageException contain(FatalErrors fatal, String what, Throwable failure) {
    Exception cause = fatal.contain(failure);
    return cause instanceof StorageException known
        ? known
        : new StorageException(what + " cannot be loaded: " + cause.getMessage(), cause);
  }

  private void removeUnloaded(CachedBlock block) {
    if (block.prefetched) {
      prefetching--;
    }
    remove(find(block.file, block.position));
  }

  private void finishLoad(CachedBlock block, @Nullable StorageException failure) {
    block.loading = false;
    if (failure != null) {
      removeUnloaded(block);
    } else {
      if (block.prefetched) {
        prefetching--;
      }
      block.pins += block.waiters.size();
      // a block that nothing has requested yet is evicted first
      block.referenced = !block.waiters.isEmpty();
    }
    for (int i = 0; i < block.waiters.size(); i++) {
      if (failure == null) {
        block.waiters.get(i).onLoaded(block);
      } else {
        block.waiters.get(i).onLoadFailed(failure);
      }
    }
    block.waiters.clear();
  }

  private void makeRoom(long capacity) {
    int steps = 2 * slots.length;
    while (bytes + capacity > budgetBytes && steps-- > 0) {
      hand = (hand + 1) & (slots.length - 1);
      CachedBlock block = slots[hand];
      if (block == null || block.loading || block.pins > 0) {
        continue;
      }
      if (block.referenced) {
        block.referenced = false;
      } else {
        remove(hand);
      }
    }
  }

  private int find(Sstable file, long position) {
    int mask = slots.length - 1;
    int slot = hash(file, position) & mask;
    CachedBlock block = slots[slot];
    while (block != null && !(block.position == position && block.isOf(file))) {
      slot = (slot + 1) & mask;
      block = slots[slot];
    }
    return slot;
  }

  private static int hash(Sstable file, long position) {
    long mixed = (position + file.path().hashCode()) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }

  private void insert(CachedBlock block) {
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    slots[find(block.file, block.position)] = block;
    count++;
    count(block, 1);
  }

  private void grow() {
    @Nullable CachedBlock[] old = slots;
    slots = new CachedBlock[2 * old.length];
    for (CachedBlock block : old) {
      if (block != null) {
        slots[find(block.file, block.position)] = block;
      }
    }
  }

  private void remove(int slot) {
    CachedBlock removed = slots[slot];
    if (removed == null) {
      return;
    }
    int mask = slots.length - 1;
    slots[slot] = null;
    count--;
    count(removed, -1);
    removed.giveBack(pool);
    // close the gap, so that no probe sequence ends here too early
    int gap = slot;
    int next = (slot + 1) & mask;
    CachedBlock block = slots[next];
    while (block != null) {
      int home = hash(block.file, block.position) & mask;
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        slots[gap] = block;
        slots[next] = null;
        gap = next;
      }
      next = (next + 1) & mask;
      block = slots[next];
    }
  }
}
