package io.helenus.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.memory.NodeMemory.Use;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which share is counted, what is released, and what is freed after a node. */
class NodeMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int PAUSE_MILLIS = 20;

  private final List<Long> discarded = new ArrayList<>();
  private final NodeMemory memory =
      new NodeMemory(
          Map.of(Use.BLOCK_CACHE, 8L * MIB),
          segment -> discarded.add(segment.byteSize()),
          32 * MIB);

  @Test
  void eachUseHasItsShare() {
    assertEquals(8 * MIB, memory.share(Use.BLOCK_CACHE).limitBytes());
    assertEquals(Long.MAX_VALUE, memory.share(Use.ANSWERS).limitBytes());
    MemorySegment slab = memory.slabs(Use.BLOCK_CACHE).take(5_000);
    MemorySegment large = memory.slabs(Use.BLOCK_CACHE).take(3 * MIB);
    MemorySegment answer = memory.segments(Use.ANSWERS).take(MIB);
    assertEquals(8_192 + 3 * MIB, memory.share(Use.BLOCK_CACHE).usedBytes());
    assertEquals(MIB, memory.share(Use.ANSWERS).usedBytes());
    assertEquals(0, memory.share(Use.MEMTABLES).usedBytes());
    memory.slabs(Use.BLOCK_CACHE).giveBack(slab);
    memory.slabs(Use.BLOCK_CACHE).giveBack(large);
    memory.segments(Use.ANSWERS).giveBack(answer);
    for (Use use : Use.values()) {
      assertEquals(0, memory.share(use).usedBytes());
    }
  }

  @Test
  void trimGivesBackWhatEachUseLeftFree() {
    memory.slabs(Use.MEMTABLES).giveBack(memory.slabs(Use.MEMTABLES).take(MIB));
    memory.slabs(Use.BLOCK_CACHE).giveBack(memory.slabs(Use.BLOCK_CACHE).take(3 * MIB));
    memory.segments(Use.COMPACTION).giveBack(memory.segments(Use.COMPACTION).take(2 * MIB));
    assertEquals(MIB, memory.keptBytes(Use.MEMTABLES));
    assertEquals(3 * MIB, memory.keptBytes(Use.BLOCK_CACHE));
    assertEquals(2 * MIB, memory.keptBytes(Use.COMPACTION));
    memory.trim();
    assertEquals(List.of(), discarded);
    memory.trim();
    assertEquals(List.of(1L * MIB, 2L * MIB, 3L * MIB), discarded.stream().sorted().toList());
    for (Use use : Use.values()) {
      assertEquals(0, memory.keptBytes(use));
    }
  }

  @Test
  void theMemoryOfNodesThatAreGoneIsFreed() throws InterruptedException {
    List<NodeMemory> nodes = new ArrayList<>();
    System.gc();
    Thread.sleep(PAUSE_MILLIS);
    long before = nativeBytes();
    for (int i = 0; i < 64; i++) {
      NodeMemory other = NodeMemory.unlimited();
      other.slabs(Use.MEMTABLES).take(MIB);
      other.segments(Use.ANSWERS).giveBack(other.segments(Use.ANSWERS).take(MIB));
      other.segments(Use.BUFFERS).take(MIB);
      nodes.add(other);
    }
    assertTrue(nativeBytes() - before >= 2L * nodes.size() * MIB, "the JVM counts the slabs");
    nodes.clear();
    for (int i = 0; nativeBytes() - before > 4 * MIB; i++) {
      assertTrue(i < 500, "not freed: " + (nativeBytes() - before));
      System.gc();
      // what runs after a collection has a thread of its own
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static long nativeBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
