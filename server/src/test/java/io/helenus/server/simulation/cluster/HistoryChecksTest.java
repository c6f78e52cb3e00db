package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.storage.testing.ViolationError;
import org.junit.jupiter.api.Test;

/** Histories of decided entries that differ, have gaps or go back are violations. */
class HistoryChecksTest {
  private final HistoryChecks history = new HistoryChecks();
  private final HistoryChecks.Reporter first = history.of(0, 1);
  private final HistoryChecks.Reporter second = history.of(1, 1);

  @Test
  void equalPrefixesPass() {
    first.beganWith(1, 100);
    first.applied(2, 20, 200);
    first.applied(3, 30, 300);
    second.beganWith(2, 200);
    second.applied(3, 30, 300);
    history.of(0, 2).beganWith(3, 300);
    assertEquals(3, history.last());
    assertEquals(3, second.applied());
  }

  @Test
  void twoEntriesInASlotAreFound() {
    first.applied(2, 20, 200);
    assertThrows(ViolationError.class, () -> second.applied(2, 21, 200));
  }

  @Test
  void twoStatesAfterAnEntryAreFound() {
    first.applied(2, 20, 200);
    assertThrows(ViolationError.class, () -> second.applied(2, 20, 201));
    assertThrows(ViolationError.class, () -> history.of(2, 1).beganWith(2, 201));
  }

  @Test
  void twoClustersAreFound() {
    first.memberOf("a");
    second.memberOf("a");
    assertThrows(ViolationError.class, () -> history.of(2, 1).memberOf("b"));
  }

  @Test
  void aGapIsFound() {
    first.applied(2, 20, 200);
    assertThrows(ViolationError.class, () -> first.applied(4, 40, 400));
    assertThrows(ViolationError.class, () -> first.applied(2, 20, 200));
  }
}
