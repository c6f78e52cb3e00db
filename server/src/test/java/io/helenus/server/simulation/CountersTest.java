package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Increments of counters are made once: racing clients of a simulated node, across crashes. {@code
 * -Dsimulation.counters=1000} for more seeds.
 */
class CountersTest {
  private static final int SEEDS = Integer.getInteger("simulation.counters", 40);
  private static final int STEPS = 600;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  @Test
  void everyAcknowledgedIncrementIsMadeOnce() throws Exception {
    int[] checked = new int[1];
    seeds.each(SEEDS, seed -> checked[0] += new CounterRun(seed, SimNode.Hooks.NONE).run(STEPS));
    assertTrue(checked[0] > 100 * SEEDS, () -> "few increments: " + checked[0]);
  }

  @Test
  void incrementsOfATurnThatDoNotSeeEachOtherAreDetected() {
    assertCaught(PlantedBugs.DRAFT_NOT_READ);
  }

  @Test
  void anAcknowledgementBeforeTheLogWriteIsDetected() {
    assertCaught(PlantedBugs.ANSWER_BEFORE_LOG);
  }

  private static void assertCaught(SimNode.Hooks bug) {
    PlantedBugs.assertCaught(
        bug,
        (seed, planted) -> {
          int ignored = new CounterRun(seed, planted).run(STEPS);
        });
  }
}
