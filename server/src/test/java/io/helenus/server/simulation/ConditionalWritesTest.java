package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.helenus.server.simulation.RegisterHistory.Kind;
import io.helenus.server.simulation.RegisterHistory.Operation;
import io.helenus.storage.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Conditional writes are linearizable: histories recorded from racing clients of a simulated node.
 * {@code -Dsimulation.registers=1000} for more seeds.
 */
class ConditionalWritesTest {
  private static final int SEEDS = Integer.getInteger("simulation.registers", 40);
  private static final int STEPS = 600;
  private static final int SEEDS_TO_CATCH_A_BUG = 60;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  @Test
  void everyHistoryIsLinearizable() throws Exception {
    long[] counts = new long[3];
    seeds.each(
        SEEDS,
        seed -> {
          for (RegisterHistory history : new RegisterRun(seed, SimNode.Hooks.NONE).run(STEPS)) {
            assertTrue(history.isLinearizable(), () -> "not linearizable:\n" + history);
            counts[0] += history.count(Kind.SWAP, true);
            counts[1] += history.count(Kind.SWAP, false);
            counts[2] += history.count(Kind.CREATE, true);
          }
        });
    assertTrue(
        counts[0] > SEEDS && counts[1] > SEEDS && counts[2] > SEEDS,
        () -> "few races: " + counts[0] + ", " + counts[1] + ", " + counts[2]);
  }

  @Test
  void writesOfATurnThatDoNotSeeEachOtherAreDetected() {
    assertCaught(PlantedBugs.DRAFT_NOT_READ);
  }

  @Test
  void anAcknowledgementBeforeTheLogWriteIsDetected() {
    assertCaught(PlantedBugs.ANSWER_BEFORE_LOG);
  }

  private static void assertCaught(SimNode.Hooks bug) {
    for (long seed = 1; seed <= SEEDS_TO_CATCH_A_BUG; seed++) {
      for (RegisterHistory history : new RegisterRun(seed, bug).run(STEPS)) {
        if (!history.isLinearizable()) {
          return;
        }
      }
    }
    fail("the planted bug was not detected");
  }

  @Test
  void twoWinnersAreNotLinearizable() {
    RegisterHistory history = new RegisterHistory();
    Operation one = history.call(Kind.CREATE, null, 1);
    Operation two = history.call(Kind.CREATE, null, 2);
    history.answered(one, true, null);
    history.answered(two, true, null);
    assertFalse(history.isLinearizable());
  }

  @Test
  void anUnansweredWriteMayHaveHappenedOrNot() {
    RegisterHistory history = new RegisterHistory();
    Operation lost = history.call(Kind.CREATE, null, 1);
    assertTrue(history.isLinearizable(), lost::toString);
    history.crashed();
    Operation read = history.call(Kind.READ, null, null);
    history.answered(read, false, 1);
    assertTrue(history.isLinearizable());
    Operation later = history.call(Kind.READ, null, null);
    history.answered(later, false, null);
    assertFalse(history.isLinearizable(), "it cannot be undone");
  }

  @Test
  void aReadAfterAWriteSeesIt() {
    RegisterHistory history = new RegisterHistory();
    Operation create = history.call(Kind.CREATE, null, 1);
    history.answered(create, true, null);
    Operation swap = history.call(Kind.SWAP, 1, 2);
    history.answered(swap, true, null);
    Operation read = history.call(Kind.READ, null, null);
    history.answered(read, false, 1);
    assertFalse(history.isLinearizable());
    assertTrue(List.of(create, swap, read).size() == history.size());
  }
}
