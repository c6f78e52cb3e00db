package io.helenus.server.admin.prometheus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.metrics.NodeCounts;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.metrics.TableCounts;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShownTablesTest {
  private final ShardMetrics shard = new ShardMetrics(0, () -> 0, () -> 0);
  private final ShownTables shown = new ShownTables(2);
  private final NavigableMap<Integer, String> existing = new TreeMap<>();

  private void define(int... ids) {
    for (int id : ids) {
      existing.put(id, "t" + id);
    }
    shown.update(existing);
  }

  private void drop(int id) {
    existing.remove(id);
    shard.retainTables(existing::containsKey);
    shown.update(existing);
  }

  private void write(int table, int times) {
    for (int i = 0; i < times; i++) {
      shard.applied(table, 1000, 0);
    }
  }

  private long writesToOthers() {
    NodeCounts counts = shard.counts(shown.ids().stream().mapToInt(id -> id).toArray());
    TableCounts others = shown.others(counts.allTables(), counts.tables());
    assertEquals(1000 * others.writes().count(), others.writes().sumNanos());
    return others.writes().count();
  }

  @Test
  void theFirstTablesAreShown() {
    define(100, 101, 102, 103);
    assertEquals(Set.of(100, 101), shown.ids());
    write(100, 1);
    write(101, 2);
    assertEquals(0, writesToOthers());
    write(102, 3);
    write(103, 4);
    assertEquals(7, writesToOthers());
  }

  @Test
  void droppedTablesLeaveNoTraceInTheSumOfTheOthers() {
    define(100, 101, 102);
    write(100, 5);
    write(102, 3);
    assertEquals(3, writesToOthers());
    drop(100);
    assertEquals(3, writesToOthers());
    drop(102);
    assertEquals(3, writesToOthers());
  }

  @Test
  void onlyLaterTablesTakeThePlacesOfDroppedOnes() {
    define(100, 101, 102);
    write(102, 3);
    assertEquals(3, writesToOthers());
    drop(101);
    assertEquals(Set.of(100), shown.ids());
    assertEquals(3, writesToOthers());
    define(103, 104);
    assertEquals(Set.of(100, 103), shown.ids());
    write(103, 10);
    write(104, 1);
    assertEquals(4, writesToOthers());
  }
}
