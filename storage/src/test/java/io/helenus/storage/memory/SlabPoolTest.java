package io.helenus.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which slabs are reused, which pages are discarded, and what is counted. */
class SlabPoolTest {
  private final Arena arena = Arena.ofShared();
  private final MemoryShare share = MemoryShare.unlimited();
  private final List<Long> discarded = new ArrayList<>();
  private final PageDiscard pages = segment -> discarded.add(segment.address());
  private final SlabPool pool =
      new SlabPool(arena, share, new LargeSegments(share, pages, 64 << 20));

  @AfterEach
  void close() {
    arena.close();
  }

  private List<MemorySegment> take(int count, long bytes) {
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(pool.take(bytes));
    }
    return taken;
  }

  @Test
  void sizesAreRoundedUp() {
    assertEquals(4096, pool.take(1).byteSize());
    assertEquals(4096, pool.take(4096).byteSize());
    assertEquals(8192, pool.take(4097).byteSize());
    assertEquals(1 << 20, pool.take(1 << 20).byteSize());
    assertEquals((1 << 20) + (256 << 10), pool.take((1 << 20) + 1).byteSize());
    assertEquals(10 << 20, pool.take(10 << 20).byteSize());
    assertEquals(12 << 20, pool.take((10 << 20) + 1).byteSize());
  }

  @Test
  void theLastFreedSlabIsReusedFirst() {
    List<MemorySegment> slabs = take(3, 4096);
    slabs.forEach(pool::giveBack);
    assertEquals(slabs.get(2).address(), pool.take(4096).address());
    assertEquals(slabs.get(1).address(), pool.take(4096).address());
    assertEquals(slabs.get(0).address(), pool.take(4096).address());
  }

  @Test
  void aTrimDiscardsOnlyWhatWasNotNeededSinceTheTrimBefore() {
    List<MemorySegment> slabs = take(4, 4096);
    slabs.forEach(pool::giveBack);
    pool.trim(pages);
    assertEquals(List.of(), discarded);
    pool.giveBack(pool.take(4096));
    pool.trim(pages);
    assertEquals(slabs.subList(0, 3).stream().map(MemorySegment::address).toList(), discarded);
    assertEquals(4096, pool.keptBytes());
    pool.trim(pages);
    assertEquals(4, discarded.size());
    assertEquals(0, pool.keptBytes());
    pool.trim(pages);
    assertEquals(4, discarded.size(), "pages are discarded once");
  }

  @Test
  void slabsWithPagesAreReusedBeforeThoseWithout() {
    List<MemorySegment> slabs = take(2, 4096);
    pool.giveBack(slabs.get(0));
    pool.trim(pages);
    pool.trim(pages);
    assertEquals(List.of(slabs.get(0).address()), discarded);
    pool.giveBack(slabs.get(1));
    assertEquals(slabs.get(1).address(), pool.take(4096).address());
    assertEquals(slabs.get(0).address(), pool.take(4096).address());
    assertEquals(0, pool.keptBytes());
    pool.giveBack(slabs.get(0));
    assertEquals(4096, pool.keptBytes());
  }

  @Test
  void slabsInUseKeepTheirContents() {
    PageDiscard zeroing = segment -> segment.fill((byte) 0);
    List<MemorySegment> used = take(8, 8192);
    List<MemorySegment> freed = take(8, 8192);
    used.forEach(slab -> slab.fill((byte) 7));
    freed.forEach(pool::giveBack);
    for (int i = 0; i < 3; i++) {
      pool.trim(zeroing);
      MemorySegment slab = pool.take(8192);
      slab.fill((byte) 7);
      used.add(slab);
    }
    for (MemorySegment slab : used) {
      for (long at = 0; at < slab.byteSize(); at++) {
        assertEquals(7, slab.get(ValueLayout.JAVA_BYTE, at));
      }
    }
  }

  @Test
  void everythingThatWasTakenIsCountedUntilItIsGivenBack() {
    List<MemorySegment> slabs = new ArrayList<>();
    long expected = 0;
    for (long bytes : new long[] {1, 5_000, 70_000, 1 << 20, 3 << 20, 10 << 20}) {
      MemorySegment slab = pool.take(bytes);
      slabs.add(slab);
      expected += slab.byteSize();
      assertEquals(expected, share.usedBytes());
    }
    slabs.forEach(pool::giveBack);
    assertEquals(0, share.usedBytes());
    assertEquals(expected, share.highWaterBytes());
    assertEquals(expected, pool.keptBytes());
    pool.trim(pages);
    pool.trim(pages);
    assertEquals(0, pool.keptBytes());
    assertEquals(6, discarded.size());
  }

  @Test
  void noSlabIsUsedTwiceWhileOthersTrim() throws Exception {
    Set<Long> inUse = ConcurrentHashMap.newKeySet();
    PageDiscard checking =
        segment -> assertTrue(inUse.add(segment.address()) && inUse.remove(segment.address()));
    try (var threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        long seed = i;
        running.add(threads.submit(() -> takeAndGiveBack(inUse, new Random(seed))));
      }
      running.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 300; i++) {
                  pool.trim(checking);
                }
              }));
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertEquals(0, share.usedBytes());
  }

  private void takeAndGiveBack(Set<Long> inUse, Random random) {
    List<MemorySegment> mine = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      if (random.nextBoolean() && mine.size() < 20) {
        MemorySegment slab = pool.take(1L << (12 + random.nextInt(3)));
        assertTrue(inUse.add(slab.address()), "a slab in use was taken again");
        slab.set(ValueLayout.JAVA_LONG, 0, slab.address());
        mine.add(slab);
      } else if (!mine.isEmpty()) {
        giveBack(inUse, mine.remove(random.nextInt(mine.size())));
      }
    }
    mine.forEach(slab -> giveBack(inUse, slab));
  }

  private void giveBack(Set<Long> inUse, MemorySegment slab) {
    assertEquals(slab.address(), slab.get(ValueLayout.JAVA_LONG, 0));
    inUse.remove(slab.address());
    pool.giveBack(slab);
  }

  @Test
  void smallSlabsAreAllocatedSideBySide() {
    List<MemorySegment> slabs = take(64, 4096);
    long neighbours =
        slabs.stream()
            .filter(
                slab -> slabs.stream().anyMatch(each -> each.address() == slab.address() + 4096))
            .count();
    assertTrue(neighbours >= 60, neighbours + " of 64");
    assertEquals(64, slabs.stream().map(MemorySegment::address).distinct().count());
    for (MemorySegment slab : slabs) {
      assertEquals(0, slab.address() % 4096);
    }
  }

  @Test
  void differentSizesDoNotMix() {
    MemorySegment small = pool.take(4096);
    pool.giveBack(small);
    MemorySegment large = pool.take(8192);
    assertNotEquals(small.address(), large.address());
    assertEquals(8192, large.byteSize());
  }
}
