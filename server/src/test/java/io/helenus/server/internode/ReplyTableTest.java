package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.sim.SimRandomness;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplyTableTest {
  private final List<Integer> broken = new ArrayList<>();
  private final ReplyHandler handler =
      new ReplyHandler() {
        @Override
        public void replied(int tag, MemorySegment body, long offset, int length) {
          throw new AssertionError("the table replies to nobody");
        }

        @Override
        public void failed(int tag, byte code, String text) {
          throw new AssertionError("the table refuses nobody");
        }

        @Override
        public void broken(int tag) {
          broken.add(tag);
        }
      };

  @Test
  void anIdIsNeverUsedAgainAndFindsItsRequestOnly() {
    ReplyTable table = new ReplyTable(50);
    SimRandomness random = new SimRandomness(1);
    Map<Long, Integer> waiting = new LinkedHashMap<>();
    Set<Long> all = new HashSet<>();
    int full = 0;
    for (int i = 0; i < 10_000; i++) {
      if (random.percent(60)) {
        long id = table.enter(handler, i);
        full += id == 0 ? 1 : 0;
        assertEquals(waiting.size() == 50, id == 0);
        if (id != 0) {
          waiting.put(id, i);
          assertTrue(all.add(id));
        }
      } else if (!waiting.isEmpty()) {
        List<Long> ids = List.copyOf(waiting.keySet());
        long id = ids.get(random.below(ids.size()));
        assertSame(handler, table.remove(id));
        assertEquals(waiting.remove(id), table.tag(id));
        assertNull(table.remove(id));
      }
      assertEquals(waiting.size(), table.waiting());
    }
    assertNotEquals(0, full);
    all.removeAll(waiting.keySet());
    all.forEach(id -> assertNull(table.remove(id)));
    table.breakAll();
    assertEquals(Set.copyOf(waiting.values()), Set.copyOf(broken));
    assertEquals(0, table.waiting());
  }

  @Test
  void anyNumberIsTakenForAnId() {
    ReplyTable table = new ReplyTable(4);
    long id = table.enter(handler, 1);
    for (long each : new long[] {0, -1, id + 1, id | 0xFFFF_FFFFL, Long.MIN_VALUE, 3L << 32}) {
      assertNull(table.remove(each));
    }
    assertSame(handler, table.remove(id));
  }
}
