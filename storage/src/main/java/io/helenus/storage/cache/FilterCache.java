package io.helenus.storage.cache;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.sstable.FileMemory;
import io.helenus.storage.sstable.Sstable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one shard's files, loaded on an I/O executor when a read first needs them. All
 * shards have the same part of the memory for filters. When it is full, a file is read without its
 * filter until that has cost about as much as loading it; then filters that have not been used
 * since the hand last passed make room for it (the CLOCK algorithm). Shard thread only.
 */
public final class FilterCache {
  /** What is read of a file without its filter: about a block. */
  private static final int BLOCK_BYTES = 16 << 10;

  private static final int STEPS = 16;

  private final FileMemory memory;
  private final int shards;
  private final Executor io;
  private final Executor shard;
  private final FatalErrors fatal;
  private final List<Sstable> loaded = new ArrayList<>();
  private final Map<Sstable, List<BlockCache.Waiter>> loading = new IdentityHashMap<>();
  private int hand;
  private long bytes;

  /**
   * Without filters yet. Loads run on the I/O executor, which may block, callbacks on the shard.
   */
  public FilterCache(
      FileMemory memory, int shards, Executor io, Executor shard, FatalErrors fatal) {
    this.memory = memory;
    this.shards = shards;
    this.io = io;
    this.shard = shard;
    this.fatal = fatal;
  }

  /** The memory of the filters that are loaded or being loaded. */
  public long bytes() {
    return bytes;
  }

  /**
   * Loads the filter of a file that the caller uses and notifies the waiter; false if there is no
   * room for it: the file is then to be read without.
   */
  public boolean load(Sstable file, BlockCache.Waiter waiter) {
    List<BlockCache.Waiter> waiters = loading.get(file);
    if (waiters != null) {
      waiters.add(waiter);
      return true;
    }
    if (file.isRetired() || !makeRoom(file)) {
      return false;
    }
    waiters = new ArrayList<>(1);
    waiters.add(waiter);
    loading.put(file, waiters);
    bytes += file.filterBytes();
    try {
      io.execute(() -> loadNow(file));
    } catch (Throwable e) {
      loading.remove(file);
      bytes -= file.filterBytes();
      throw e;
    }
    return true;
  }

  private void loadNow(Sstable file) {
    StorageException failure = null;
    try {
      file.loadFilter();
    } catch (Throwable e) {
      failure = BlockCache.contain(fatal, "the filter of " + file.path(), e);
    }
    StorageException result = failure;
    shard.execute(() -> finishLoad(file, result));
  }

  private void finishLoad(Sstable file, @Nullable StorageException failure) {
    List<BlockCache.Waiter> waiters = loading.remove(file);
    if (failure == null && !file.isRetired()) {
      loaded.add(file);
    } else {
      bytes -= file.filterBytes();
      file.dropFilter();
    }
    if (waiters == null) {
      return;
    }
    for (BlockCache.Waiter waiter : waiters) {
      if (failure == null) {
        waiter.onFilterLoaded();
      } else {
        waiter.onLoadFailed(failure);
      }
    }
  }

  private boolean makeRoom(Sstable file) {
    long needed = file.filterBytes();
    long limit = memory.filterLimitBytes() / shards;
    if (needed > limit) {
      return false;
    }
    if (bytes + needed > limit && file.countUnfilteredRead() <= needed / BLOCK_BYTES) {
      return false;
    }
    return evict(limit - needed);
  }

  /**
   * Drops filters if indexes have taken their memory. To be called when files have been added; the
   * filters in use go last.
   */
  public void limit() {
    long limit = memory.filterLimitBytes() / shards;
    while (bytes > limit && !loaded.isEmpty()) {
      boolean ignored = evict(limit);
    }
  }

  /** Drops unused filters until the others take at most this much; false if it gives up before. */
  private boolean evict(long limit) {
    for (int steps = Math.min(STEPS, loaded.size()); bytes > limit; steps--) {
      if (steps == 0) {
        return false;
      }
      hand = hand + 1 < loaded.size() ? hand + 1 : 0;
      if (!loaded.get(hand).takeFilterUsed()) {
        drop(hand);
      }
    }
    return true;
  }

  private void drop(int index) {
    Sstable file = loaded.get(index);
    loaded.set(index, loaded.getLast());
    loaded.removeLast();
    bytes -= file.filterBytes();
    file.dropFilter();
  }

  /** Drops the filter of a file that no table references. */
  public void forget(Sstable file) {
    file.retire();
    int index = loaded.indexOf(file);
    if (index >= 0) {
      drop(index);
    }
  }
}
