package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import io.helenus.storage.testing.Violation;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads of replicas that have missed different writes answer as a single node does that has missed
 * none: {@code -Dreads.seeds=500} for a long run, {@code -Dreads.first=N} to begin elsewhere,
 * {@code -Dseed=N} for one seed, {@code -Dreads.bugs=true} to look for the planted bugs from seed 1
 * on. A failing run is shortened, and the remaining steps are shown.
 */
class DivergedReadsTest {
  private static final int SEEDS = Integer.getInteger("reads.seeds", 8);
  private static final int STEPS = Integer.getInteger("reads.steps", 60);
  private static final int SEEDS_TO_CATCH_A_BUG = 100;
  private static final boolean FROM_THE_FIRST = Boolean.getBoolean("reads.bugs");
  private static final Set<Violation> WRONG =
      Set.of(
          Violation.WRONG_ROW,
          Violation.LOST_WRITE,
          Violation.RESURRECTED,
          Violation.DIVERGED_REPLICAS);

  @RegisterExtension final Seeds seeds = Seeds.from(Integer.getInteger("reads.first", 1));

  private static ClusterRuns runs(int replicas, DivergedRun.Nodes nodes) {
    return new ClusterRuns(STEPS, (seed, trace) -> new DivergedRun(seed, replicas, nodes, trace));
  }

  private static ClusterRuns runs(int replicas) {
    return runs(replicas, cuts -> new RealNode.Factory(cuts::in));
  }

  @Test
  void threeReplicasAnswerAsOneNode() throws Exception {
    ClusterRuns runs = runs(3);
    long count = seeds.each(SEEDS, runs::requireRight);
    Floors floors = runs.floors().require("writes", 40 * count).require("reads", 20 * count);
    if (count >= 8) {
      floors =
          floors
              .require("comparisons of replicas", 100)
              .require("reads of different replicas", 50)
              .require("digest mismatches", 100)
              .require("read repairs", 100)
              .require("short reads", 10)
              .require("stale matches of a filter", 3)
              .require("missed matches of a filter", 3)
              .require("stale matches of an index", 3)
              .require("missed matches of an index", 3)
              .require("rows of unselected cells", 5)
              .require("rows deleted on one replica", 3);
    }
    assertTrue(floors.toString().contains("writes"));
  }

  @Test
  void twoReplicasAnswerAsOneNode() throws Exception {
    ClusterRuns runs = runs(2);
    long count = seeds.each((SEEDS + 1) / 2, runs::requireRight);
    Floors floors =
        runs.floors()
            .require("writes", 40 * count)
            .require("reads", 20 * count)
            .require("read repairs", 5 * count);
    assertTrue(floors.toString().contains("writes"));
  }

  @ParameterizedTest
  @EnumSource(ReadBug.class)
  void aBugInReadsOfSeveralReplicasIsFound(ReadBug bug) {
    ClusterRuns runs = runs(3, cuts -> PlantedReads.nodes(bug, cuts));
    int first = FROM_THE_FIRST ? 1 : bug.seed;
    long seed = runs.requireFound(WRONG, first, first + SEEDS_TO_CATCH_A_BUG - 1);
    assertTrue(!FROM_THE_FIRST || seed == bug.seed, bug + " is found by seed " + seed);
  }
}
