package io.helenus.server.process;

import static io.helenus.server.process.FakeHeap.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.sim.SimClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeapRoomTest {
  private final FakeHeap heap = new FakeHeap();
  private final SimClock clock = new SimClock();
  private final HeapRoom room = new HeapRoom(heap, clock);

  @Test
  void aFifthIsLeftFree() {
    heap.live = 79 * MIB;
    assertTrue(room.getAsBoolean());
    heap.live = 80 * MIB;
    assertFalse(room.getAsBoolean());
  }

  @Test
  void garbageDoesNotCount() {
    heap.live = 10 * MIB;
    heap.garbage = 85 * MIB;
    assertTrue(room.getAsBoolean());
    assertEquals(1, heap.collections);
    assertTrue(room.getAsBoolean());
    assertEquals(1, heap.collections, "there is room without a collection");
  }

  @Test
  void manyQuestionsCauseOneCollectionEveryTenSeconds() {
    heap.live = 90 * MIB;
    for (int second = 0; second < 21; second++) {
      assertFalse(room.getAsBoolean());
      clock.advance(TimeUnit.SECONDS.toNanos(1));
    }
    assertEquals(2, heap.collections);
    heap.live = 50 * MIB;
    assertTrue(room.getAsBoolean(), "something was dropped");
  }
}
