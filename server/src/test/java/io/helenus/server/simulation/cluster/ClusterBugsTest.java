package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation of real nodes finds bugs that are planted in them: each from the seed on that was
 * recorded for it or, with {@code -Dcluster.bugs=true}, from the first one, which shows whether the
 * recorded seed is still the first that finds it.
 */
class ClusterBugsTest {
  private static final int SEEDS_TO_CATCH_A_BUG = 300;
  private static final boolean SEARCHES = Boolean.getBoolean("cluster.bugs");

  @ParameterizedTest
  @EnumSource(ClusterBug.class)
  void aPlantedBugIsFound(ClusterBug bug, TestReporter reporter) {
    ClusterRuns runs = new ClusterRuns(bug.setups, ClusterRun.STEPS, () -> bug.factory);
    long first = SEARCHES ? 1 : bug.firstSeed;
    long found = runs.requireFound(bug.violation, first, first + SEEDS_TO_CATCH_A_BUG - 1);
    reporter.publishEntry(bug.name(), "found by seed " + found);
    if (SEARCHES) {
      assertEquals(bug.firstSeed, found, "to be recorded");
    }
  }
}
