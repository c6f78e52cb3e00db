package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import io.helenus.storage.testing.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The harness of the cluster simulation, tested with a store that is so simple that it is right:
 * runs of it find nothing, and runs of it with a planted bug do.
 */
class SimClusterTest {
  private static final int SEEDS = Integer.getInteger("cluster.toy.seeds", 40);
  private static final int SEEDS_TO_CATCH_A_BUG = 100;
  private static final int STEPS = 150;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static ClusterRuns runs(ToyBug bug) {
    return new ClusterRuns(
        seed -> new ClusterRun.Setup(3, 3, false), STEPS, () -> new ToyNode.Factory(bug));
  }

  @Test
  void aStoreThatIsRightPasses() throws Exception {
    ClusterRuns runs = runs(ToyBug.NONE);
    long count = seeds.each(SEEDS, runs::requireRight);
    Floors floors =
        runs.floors()
            .require("writes", 50 * count)
            .require("reads", 10 * count)
            .require("comparisons of replicas", count);
    if (count >= SEEDS) {
      for (String name :
          new String[] {
            "unknown outcomes",
            "unavailable",
            "digest mismatches",
            "kills",
            "kills of all",
            "moves of all",
            "pauses",
            "partitions",
            "one-way partitions",
            "broken streams",
            "half-open streams",
            "clock jumps",
            "requests never answered"
          }) {
        floors = floors.require(name, 3);
      }
    }
    assertTrue(floors.toString().contains("writes"));
  }

  @Test
  void aSeedRunTwiceGivesTheSameEvents() throws Exception {
    ClusterRuns runs = runs(ToyBug.NONE);
    long unused = seeds.each(3, seed -> assertEquals(runs.hash(seed), runs.hash(seed)));
  }

  @Test
  void nodesFormACluster() throws Exception {
    long unused =
        seeds.each(
            SEEDS,
            seed ->
                new FormingRun(seed, 3, new ToyNode.Factory(ToyBug.NONE), line -> {})
                    .run(ClusterRun.steps(seed, 12)));
  }

  @Test
  void aReplyCountedTwiceIsFound() {
    requireFound(Violation.LOST_WRITE, ToyBug.COUNTS_TWICE);
  }

  @Test
  void anAcknowledgementBeforeTheSyncIsFound() {
    requireFound(Violation.LOST_WRITE, ToyBug.NOT_SYNCED);
  }

  @Test
  void aRepairThatIsNotAwaitedIsFound() {
    requireFound(Violation.LOST_WRITE, ToyBug.REPAIR_NOT_AWAITED);
  }

  @Test
  void aFilterBeforeTheMergeIsFound() {
    requireFound(Violation.LOST_WRITE, ToyBug.FILTERS_BEFORE_MERGE);
  }

  @Test
  void aShortReadIsFound() {
    requireFound(Violation.LOST_WRITE, ToyBug.SHORT_READ);
  }

  @Test
  void aRefusedWriteThatWasSentIsFound() {
    requireFound(Violation.REFUSED_WRITE_APPLIED, ToyBug.REFUSED_BUT_SENT);
  }

  @Test
  void aRequestWithoutADeadlineIsFound() {
    requireFound(Violation.NO_ANSWER, ToyBug.NO_TIMEOUT);
  }

  private static void requireFound(Violation violation, ToyBug bug) {
    long seed = runs(bug).requireFound(violation, 1, SEEDS_TO_CATCH_A_BUG);
    assertTrue(seed > 0);
  }
}
