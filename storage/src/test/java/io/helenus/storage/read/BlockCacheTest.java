package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.CachedBlock;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the block cache keeps, and what it takes of its share of memory. */
class BlockCacheTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final NodeMemory memory = NodeMemory.unlimited();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final FatalErrors fatal =
      failure -> {
        throw new AssertionError(failure);
      };
  private final BlockCache cache =
      new BlockCache(MIB, memory.slabs(Use.BLOCK_CACHE), tasks::add, tasks::add, fatal);
  private final Sstable file = new Zeros();
  private final List<CachedBlock> loaded = new ArrayList<>();
  private final BlockCache.Waiter waiter =
      new BlockCache.Waiter() {
        @Override
        public void onLoaded(CachedBlock block) {
          loaded.add(block);
        }

        @Override
        public void onLoadFailed(StorageException failure) {
          throw failure;
        }

        @Override
        public void onFilterLoaded() {
          throw new AssertionError("no filter was requested");
        }
      };

  /** A file of zeros without filter and index. */
  private static final class Zeros extends Sstable {
    @Override
    public String path() {
      return "zeros";
    }

    @Override
    public long sizeBytes() {
      return 1L << 30;
    }

    @Override
    public int tableId() {
      return 1;
    }

    @Override
    public SstableStatistics statistics() {
      throw new UnsupportedOperationException();
    }

    @Override
    public EntryCursor cursor(@Nullable EntryCursor closed, BlockSource source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void load(long position, int storedLength, Block target) {
      target.segment().fill((byte) 0);
    }

    @Override
    public void verify(Consumer<String> problems) {
      // nothing can be damaged
    }

    @Override
    public boolean isFilterLoaded() {
      return true;
    }

    @Override
    public long filterBytes() {
      return 0;
    }

    @Override
    public void loadFilter() {
      // there is none
    }

    @Override
    public void dropFilter() {
      // there is none
    }

    @Override
    public boolean takeFilterUsed() {
      return false;
    }

    @Override
    protected void free() {
      // takes no memory
    }

    @Override
    public boolean mayContain(long hash) {
      return true;
    }
  }

  /** Acquires a block, which is loaded if necessary. */
  private CachedBlock acquire(long position, int length) {
    CachedBlock block = cache.acquire(file, position, length, length, waiter);
    if (block != null) {
      return block;
    }
    Runnable task = tasks.poll();
    while (task != null) {
      task.run();
      task = tasks.poll();
    }
    return loaded.removeLast();
  }

  private long used() {
    return memory.share(Use.BLOCK_CACHE).usedBytes();
  }

  @Test
  void blocksThatAreNotPinnedStayWithinTheBudget() {
    for (int i = 0; i < 200; i++) {
      cache.release(acquire(i, 10_000));
      assertEquals(cache.bytes(), used());
      assertEquals(Math.min(i + 1, 64) * 16L * KIB, used());
    }
  }

  @Test
  void pinnedBlocksThatExceedTheBudgetAreDroppedWhenTheyAreReleased() {
    List<CachedBlock> pinned = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      pinned.add(acquire(i, 16 * KIB));
    }
    assertEquals(100 * 16L * KIB, used());
    pinned.forEach(cache::release);
    assertEquals(MIB, used());
    assertEquals(MIB, cache.bytes());
  }

  @Test
  void anOversizedBlockEvictsNothingAndIsDroppedAfterItsUse() {
    for (int i = 0; i < 64; i++) {
      cache.release(acquire(i, 16 * KIB));
    }
    CachedBlock large = acquire(1_000, 10 * MIB);
    assertEquals(11 * MIB, used());
    CachedBlock again = cache.acquire(file, 1_000, 10 * MIB, 10 * MIB, waiter);
    assertEquals(large, again);
    assertNotNull(again);
    for (int i = 0; i < 64; i++) {
      CachedBlock kept = cache.acquire(file, i, 16 * KIB, 16 * KIB, waiter);
      assertNotNull(kept, "block " + i);
      cache.release(kept);
    }
    cache.release(large);
    assertEquals(11 * MIB, used());
    cache.release(again);
    assertEquals(MIB, used());
    assertEquals(MIB, cache.bytes());
    assertNull(cache.acquire(file, 1_000, 10 * MIB, 10 * MIB, waiter));
  }

  @Test
  void blocksAreCountedByTheMemoryThatTheyTake() {
    cache.release(acquire(1, 130 * KIB));
    assertEquals(256 * KIB, cache.bytes());
    assertEquals(256 * KIB, used());
    for (int i = 2; i < 10; i++) {
      cache.release(acquire(i, 130 * KIB));
    }
    assertEquals(MIB, used());
    cache.forget(file);
    assertEquals(0, used());
    assertEquals(0, cache.bytes());
  }
}
