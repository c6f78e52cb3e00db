package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which entries of a partition's queue share a turn. */
class TurnOrderTest {
  private final TurnOrder order = new TurnOrder();

  private record Entry(String name, boolean hasOwnTurn, boolean begin) implements QueueEntry {
    @Override
    public boolean run(PartitionTurn turn) {
      throw new AssertionError("only ordered here");
    }

    @Override
    public void refused(CqlError error) {
      throw new AssertionError("only ordered here");
    }
  }

  private static Entry write(String name) {
    return new Entry(name, false, true);
  }

  private static Entry step(String name) {
    return new Entry(name, true, true);
  }

  private void add(Entry... entries) {
    for (Entry entry : entries) {
      order.add(entry);
    }
  }

  /** The entries of the next turn, which goes on. */
  private List<QueueEntry> begin() {
    List<QueueEntry> begun = new ArrayList<>();
    QueueEntry next;
    while ((next = order.next()) != null) {
      if (next.begin()) {
        order.begun(next);
        begun.add(next);
      }
    }
    return begun;
  }

  private static String names(List<QueueEntry> entries) {
    return String.join(" ", entries.stream().map(entry -> ((Entry) entry).name).toList());
  }

  private String turn() {
    String names = names(begin());
    order.endTurn();
    return names;
  }

  @Test
  void whatWaitsSharesATurn() {
    add(write("a"), write("b"), write("c"));
    assertEquals("a b c", turn());
    assertTrue(order.isEmpty());
    assertEquals("", turn());
  }

  @Test
  void whatIsAddedBeforeTheTurnIsWrittenIsPartOfIt() {
    add(write("a"));
    assertEquals("a", names(begin()));
    add(write("b"));
    assertEquals("b", names(begin()));
    assertEquals(2, order.begun());
    order.endTurn();
    assertEquals(0, order.begun());
  }

  @Test
  void aTurnHasALimit() {
    for (int i = 0; i < 2 * TurnOrder.TURN_ENTRIES + 1; i++) {
      add(write("w" + i));
    }
    assertEquals(TurnOrder.TURN_ENTRIES, begin().size());
    assertEquals(TurnOrder.TURN_ENTRIES, order.begun());
    order.endTurn();
    assertEquals(TurnOrder.TURN_ENTRIES, begin().size());
    order.endTurn();
    assertEquals("w" + 2 * TurnOrder.TURN_ENTRIES, turn());
  }

  @Test
  void anEntryThatIsTooLateDoesNotCount() {
    add(new Entry("late", false, false), write("a"), new Entry("late", false, false));
    assertEquals("a", names(begin()));
    assertEquals(1, order.begun());
    assertTrue(order.isEmpty());
  }

  @Test
  void aStepSharesItsTurnWithNoOtherEntry() {
    add(write("a"), write("b"), step("s"), step("t"), write("c"), write("d"));
    assertEquals("a b", turn());
    assertEquals("s", turn());
    assertEquals("t", turn());
    assertEquals("c d", turn());
  }

  @Test
  void entriesThatAreTooLateDoNotKeepAStepWaiting() {
    add(new Entry("late", false, false), step("s"), write("a"));
    assertEquals("s", turn());
    assertEquals("a", turn());
  }

  @Test
  void repeatedEntriesComeFirstAndInTheirOrder() {
    add(write("a"), write("b"));
    List<QueueEntry> repeated = begin();
    add(write("c"));
    order.repeat(repeated, false);
    order.endTurn();
    assertEquals("a b c", turn());
  }

  @Test
  void entriesRepeatedOneByOneHaveATurnEach() {
    add(write("a"), write("b"), write("c"));
    List<QueueEntry> repeated = begin();
    add(write("d"), write("e"));
    order.repeat(repeated, true);
    order.endTurn();
    assertEquals("a", turn());
    assertEquals("b", turn());
    assertEquals("c", turn());
    assertEquals("d e", turn());
  }
}
