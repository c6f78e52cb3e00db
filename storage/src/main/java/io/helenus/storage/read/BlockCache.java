package io.helenus.storage.read;

import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.memtable.SlabPool;
import io.helenus.storage.sstable.Sstable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of files that one shard has read lately: checked, decompressed, off heap, up to a
 * budget. A block that is not here is loaded by an I/O executor while its waiters go on later; a
 * pinned block stays. Which goes when room is needed is found by CLOCK: blocks used since the hand
 * last passed get another round. The budget is exceeded only by what is pinned or being loaded.
 * Shard thread only.
 */
public final class BlockCache {
  private static final int INITIAL_SLOTS = 64;
  private static final int PREFETCH_LIMIT = 16;
  private static final int PREFETCH_SHARE = 64;

  /** Who waits for a block. */
  interface Waiter {
    /** A block that was asked for is here, pinned for the waiter. */
    void loaded(Frame frame);

    /** A block or filter that was asked for could not be loaded. */
    void failed(StorageException failure);

    /** A filter that was asked for is here. */
    void filterLoaded();
  }

  private final long budgetBytes;
  private final SlabPool pool;
  private final Executor io;
  private final Executor shard;
  private final FatalErrors fatal;

  // open addressing with linear probing; a power of two, at most half full
  private @Nullable Frame[] slots = new Frame[INITIAL_SLOTS];
  private int count;
  private int hand;
  private long bytes;
  private long hits;
  private long misses;
  private int prefetching;

  /** An empty cache. The I/O executor may block; the other one is the shard's own. */
  public BlockCache(
      long budgetBytes, SlabPool pool, Executor io, Executor shard, FatalErrors fatal) {
    this.budgetBytes = budgetBytes;
    this.pool = pool;
    this.io = io;
    this.shard = shard;
    this.fatal = fatal;
  }

  /** Bytes taken. */
  public long bytes() {
    return bytes;
  }

  /** How often a block was here. */
  public long hits() {
    return hits;
  }

  /** How often a block had to be loaded. */
  public long misses() {
    return misses;
  }

  /** What it holds, and how often that helped. */
  public CacheStatistics statistics() {
    return new CacheStatistics(budgetBytes, bytes, count, hits, hits + misses);
  }

  Executor shard() {
    return shard;
  }

  /** The block, pinned; or null: the waiter is told when it is loaded. */
  @Nullable Frame acquire(
      Sstable file, long position, int storedLength, int length, Waiter waiter) {
    Frame frame = slots[find(file, position)];
    if (frame == null) {
      misses++;
      frame = newFrame(file, position, length);
      frame.waiters.add(waiter);
      load(frame, storedLength);
      return null;
    }
    if (frame.loading) {
      frame.waiters.add(waiter);
      return null;
    }
    hits++;
    frame.pins++;
    frame.referenced = true;
    return frame;
  }

  /** Starts to load a block that will be needed soon, if there is room for it. */
  void prefetch(Sstable file, long position, int storedLength, int length) {
    boolean room = budgetBytes >= (long) PREFETCH_SHARE * length && prefetching < PREFETCH_LIMIT;
    if (room && slots[find(file, position)] == null) {
      Frame frame = newFrame(file, position, length);
      frame.prefetched = true;
      prefetching++;
      load(frame, storedLength);
    }
  }

  void release(Frame frame) {
    frame.pins--;
    if (frame.pins < 0) {
      throw new IllegalStateException("a block was released more often than acquired");
    }
  }

  /** Loads a file's filter and tells the waiter. */
  void loadFilter(Sstable file, Waiter waiter) {
    io.execute(
        () -> {
          StorageException failure = null;
          try {
            file.loadFilter();
          } catch (Throwable e) {
            failure = contain("the filter of " + file.path(), e);
          }
          StorageException result = failure;
          shard.execute(
              () -> {
                if (result == null) {
                  waiter.filterLoaded();
                } else {
                  waiter.failed(result);
                }
              });
        });
  }

  /** Drops the blocks of a file that nobody uses any more. */
  public void forget(Sstable file) {
    for (int i = slots.length - 1; i >= 0; i--) {
      Frame frame = slots[i];
      // removal may move another frame of the file here
      while (frame != null && frame.isOf(file) && !frame.loading && frame.pins == 0) {
        remove(i);
        frame = slots[i];
      }
    }
  }

  private Frame newFrame(Sstable file, long position, int length) {
    makeRoom(length);
    Frame frame = new Frame(file, position, pool.take(length));
    frame.setLength(length);
    insert(frame);
    return frame;
  }

  private void load(Frame frame, int storedLength) {
    try {
      io.execute(() -> loadNow(frame, storedLength));
    } catch (Throwable e) {
      // no thread took it: nobody would ever finish the load
      removeUnloaded(frame);
      throw e;
    }
  }

  private void loadNow(Frame frame, int storedLength) {
    StorageException failure = null;
    try {
      frame.file.load(frame.position, storedLength, frame);
    } catch (Throwable e) {
      failure = contain("the block at offset " + frame.position + " of " + frame.file.path(), e);
    }
    StorageException result = failure;
    shard.execute(() -> finishLoad(frame, result));
  }

  private StorageException contain(String what, Throwable failure) {
    Exception cause = fatal.contain(failure);
    return cause instanceof StorageException known
        ? known
        : new StorageException(what + " cannot be loaded: " + cause.getMessage(), cause);
  }

  private void removeUnloaded(Frame frame) {
    if (frame.prefetched) {
      prefetching--;
    }
    remove(find(frame.file, frame.position));
  }

  private void finishLoad(Frame frame, @Nullable StorageException failure) {
    frame.loading = false;
    if (failure != null) {
      removeUnloaded(frame);
    } else {
      if (frame.prefetched) {
        prefetching--;
      }
      frame.pins += frame.waiters.size();
      // what nobody has asked for yet goes first
      frame.referenced = !frame.waiters.isEmpty();
    }
    for (int i = 0; i < frame.waiters.size(); i++) {
      if (failure == null) {
        frame.waiters.get(i).loaded(frame);
      } else {
        frame.waiters.get(i).failed(failure);
      }
    }
    frame.waiters.clear();
  }

  private void makeRoom(int length) {
    int steps = 2 * slots.length;
    while (bytes + length > budgetBytes && steps-- > 0) {
      hand = (hand + 1) & (slots.length - 1);
      Frame frame = slots[hand];
      if (frame == null || frame.loading || frame.pins > 0) {
        continue;
      }
      if (frame.referenced) {
        frame.referenced = false;
      } else {
        remove(hand);
      }
    }
  }

  private int find(Sstable file, long position) {
    int mask = slots.length - 1;
    int slot = hash(file, position) & mask;
    Frame frame = slots[slot];
    while (frame != null && !(frame.position == position && frame.isOf(file))) {
      slot = (slot + 1) & mask;
      frame = slots[slot];
    }
    return slot;
  }

  private static int hash(Sstable file, long position) {
    long mixed = (position + file.path().hashCode()) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }

  private void insert(Frame frame) {
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    slots[find(frame.file, frame.position)] = frame;
    count++;
    bytes += frame.capacity();
  }

  private void grow() {
    @Nullable Frame[] old = slots;
    slots = new Frame[2 * old.length];
    for (Frame frame : old) {
      if (frame != null) {
        slots[find(frame.file, frame.position)] = frame;
      }
    }
  }

  private void remove(int slot) {
    Frame removed = slots[slot];
    if (removed == null) {
      return;
    }
    int mask = slots.length - 1;
    slots[slot] = null;
    count--;
    bytes -= removed.capacity();
    pool.giveBack(removed.segment());
    // close the gap, so that nobody's probing ends here too early
    int gap = slot;
    int next = (slot + 1) & mask;
    Frame frame = slots[next];
    while (frame != null) {
      int home = hash(frame.file, frame.position) & mask;
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        slots[gap] = frame;
        slots[next] = null;
        gap = next;
      }
      next = (next + 1) & mask;
      frame = slots[next];
    }
  }
}
