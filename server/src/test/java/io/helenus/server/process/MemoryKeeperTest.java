package io.helenus.server.process;

import static io.helenus.server.process.FakeHeap.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryKeeperTest {
  private final SimWorld world = new SimWorld(1);
  private final Scheduler shard = world.scheduler("shard");
  private final FakeHeap heap = new FakeHeap();
  private final NodeMemory memory = new NodeMemory(Map.of(), segment -> {}, 32 * MIB);
  private final MemoryKeeper keeper = new MemoryKeeper(memory, heap, shard, world.scheduler("io"));

  @BeforeEach
  void start() {
    heap.live = 20 * MIB;
    keeper.start();
  }

  private void runForSeconds(int seconds) {
    world.runFor(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void freeNativeMemoryIsGivenBackWithinTwentySeconds() {
    memory.segments(Use.ANSWERS).giveBack(memory.segments(Use.ANSWERS).take(MIB));
    assertEquals(MIB, memory.keptBytes(Use.ANSWERS));
    runForSeconds(21);
    assertEquals(0, memory.keptBytes(Use.ANSWERS));
  }

  @Test
  void theHeapOfAnIdleProcessIsCollectedOnce() {
    runForSeconds(11);
    heap.garbage = 30 * MIB;
    runForSeconds(10);
    assertEquals(0, heap.collections, "it has just allocated 30 MiB");
    runForSeconds(10);
    assertEquals(1, heap.collections);
    runForSeconds(60);
    assertEquals(1, heap.collections, "there is nothing left to collect");
  }

  @Test
  void aBusyProcessIsLeftAlone() {
    for (int i = 0; i < 30; i++) {
      heap.garbage += 2 * MIB;
      runForSeconds(10);
    }
    assertEquals(0, heap.collections);
  }

  @Test
  void aLittleGarbageIsNotWorthACollection() {
    runForSeconds(11);
    heap.garbage = 7 * MIB;
    runForSeconds(60);
    assertEquals(0, heap.collections);
  }

  @Test
  void afterItsEndItDoesNothing() {
    keeper.stop();
    memory.segments(Use.ANSWERS).giveBack(memory.segments(Use.ANSWERS).take(MIB));
    runForSeconds(60);
    assertEquals(MIB, memory.keptBytes(Use.ANSWERS));
  }
}
