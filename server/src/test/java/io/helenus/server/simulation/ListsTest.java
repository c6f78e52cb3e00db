package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Elements of lists are neither lost nor doubled and stay in order: racing clients of a simulated
 * node, across crashes. {@code -Dsimulation.lists=1000} for more seeds.
 */
class ListsTest {
  private static final int SEEDS = Integer.getInteger("simulation.lists", 40);
  private static final int STEPS = 600;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  @Test
  void everyAcknowledgedElementIsThereOnceAndInOrder() throws Exception {
    int[] checked = new int[1];
    long ignored =
        seeds.each(SEEDS, seed -> checked[0] += new ListRun(seed, SimNode.Hooks.NONE).run(STEPS));
    assertTrue(checked[0] > 100 * SEEDS, () -> "few elements: " + checked[0]);
  }

  @Test
  void aLogThatIsNotSyncedIsDetected() {
    assertCaught(PlantedBugs.LOG_NOT_SYNCED);
  }

  @Test
  void anAcknowledgementBeforeTheLogWriteIsDetected() {
    assertCaught(PlantedBugs.ANSWER_BEFORE_LOG);
  }

  private static void assertCaught(SimNode.Hooks bug) {
    PlantedBugs.assertCaught(
        bug,
        (seed, planted) -> {
          int ignored = new ListRun(seed, planted).run(STEPS);
        });
  }
}
