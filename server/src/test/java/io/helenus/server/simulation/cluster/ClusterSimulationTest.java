package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.sim.FileSystemBug;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.testing.Seeds;
import io.helenus.storage.testing.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs clusters of real nodes in one thread from many seeds: {@code -Dcluster.seeds=2000} for a
 * long run, {@code -Dseed=N} for one seed. A failing run is shortened, and the remaining steps are
 * shown.
 */
class ClusterSimulationTest {
  private static final int SEEDS = Integer.getInteger("cluster.seeds", 20);
  private static final int SEEDS_TO_CATCH_A_BUG = 100;
  private static final int STEPS = Integer.getInteger("cluster.steps", 150);

  private static final int STEPS3 = Integer.getInteger("cluster.steps3", 0);

  @RegisterExtension final Seeds seeds = Seeds.from(Integer.getInteger("cluster.first", 1));

  private static ClusterRuns runs(RealNode.Factory factory) {
    return new ClusterRuns(new ClusterRun.Setup(1, 1, true), STEPS, () -> factory);
  }

  @Test
  void everySeedAgreesWithTheModel() throws Exception {
    ClusterRuns runs = runs(new RealNode.Factory());
    long count = seeds.each(SEEDS, runs::requireRight);
    Floors floors = runs.floors().require("writes", 20 * count).require("reads", 5 * count);
    if (count >= 20) {
      floors =
          floors
              .require("kills", 5)
              .require("definitions", 5)
              .require("clock jumps", 3)
              .require("truncations", 3);
    }
    assertTrue(floors.toString().contains("comparisons of replicas"));
  }

  @Test
  void everySeedFormsACluster() throws Exception {
    long unused =
        seeds.each(
            SEEDS,
            seed ->
                new FormingRun(seed, 1, new RealNode.Factory(), Boolean.getBoolean("cluster.trace") ? System.out::println : line -> {})
                    .run(ClusterRun.steps(seed, 12)));
  }

  @Test
  void threeNodesWithoutSteps() throws Exception {
    ClusterRuns runs = new ClusterRuns(new ClusterRun.Setup(3, 3, true), STEPS, RealNode.Factory::new);
    long unused = seeds.each(SEEDS, runs::requireRight);
    System.out.println(runs.floors());
  }

  @Test
  void threeNodesForm() throws Exception {
    long unused =
        seeds.each(
            SEEDS,
            seed ->
                new FormingRun(seed, 3, new RealNode.Factory(), Boolean.getBoolean("cluster.trace") ? System.out::println : line -> {})
                    .run(ClusterRun.steps(seed, Integer.getInteger("f", 0))));
  }

  @Test
  void aMissingSyncOfTheLogIsFound() {
    RealNode.Factory bug =
        new RealNode.Factory(
            environment ->
                environment.with(
                    FileSystemBug.dropSyncs(
                        environment.files(), path -> path.startsWith("commitlog/"))),
            LocalStorage::open);
    assertTrue(runs(bug).requireFound(Violation.LOST_WRITE, 1, SEEDS_TO_CATCH_A_BUG) > 0);
  }

  @Test
  void aSeedRunTwiceGivesTheSameEvents() throws Exception {
    ClusterRuns runs = runs(new RealNode.Factory());
    long unused = seeds.each(2, seed -> assertEquals(runs.hash(seed), runs.hash(seed)));
  }
}
