package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs clusters of real nodes in one thread from many seeds: {@code -Dcluster.seeds=2000} for a
 * long run, {@code -Dcluster.first=N} to begin elsewhere, {@code -Dseed=N} for one seed. A failing
 * run is shortened, and the remaining steps are shown.
 */
class ClusterSimulationTest {
  private static final int SEEDS = Integer.getInteger("cluster.seeds", 20);
  private static final int SEEDS_OF_SEVERAL = Integer.getInteger("cluster.seeds", 60);

  @RegisterExtension final Seeds seeds = Seeds.from(Integer.getInteger("cluster.first", 1));

  private static ClusterRuns runs(LongFunction<ClusterRun.Setup> setup, RealNode.Factory factory) {
    return new ClusterRuns(setup, ClusterRun.STEPS, () -> factory);
  }

  @Test
  void oneNodeAgreesWithTheModel() throws Exception {
    ClusterRuns runs = runs(ClusterRun.Setup::one, new RealNode.Factory());
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
  void severalNodesAgreeWithTheModel() throws Exception {
    ClusterRuns runs = runs(ClusterRun.Setup::several, new RealNode.Factory());
    long count = seeds.each(SEEDS_OF_SEVERAL, runs::requireRight);
    Floors floors = runs.floors().require("writes", 20 * count).require("reads", 5 * count);
    if (count >= 20) {
      floors =
          floors
              .require("kills", 10)
              .require("kills of all", 5)
              .require("partitions", 20)
              .require("definitions", 10)
              .require("digest mismatches", 50)
              .require("read repairs", 50)
              .require("unknown outcomes", 20)
              .require("unavailable", 20)
              .require("contended slots", 20)
              .require("truncations", 3)
              .require("short reads", 20);
    }
    assertTrue(floors.toString().contains("comparisons of replicas"));
  }

  @Test
  void oneNodeFormsACluster() throws Exception {
    form(1);
  }

  @Test
  void threeNodesFormACluster() throws Exception {
    form(3);
  }

  private void form(int hosts) throws Exception {
    long unused =
        seeds.each(
            SEEDS,
            seed ->
                new FormingRun(seed, hosts, new RealNode.Factory(), line -> {})
                    .run(ClusterRun.steps(seed, 12)));
  }

  @Test
  void aSeedRunTwiceGivesTheSameEvents() throws Exception {
    ClusterRuns runs = runs(ClusterRun.Setup::several, new RealNode.Factory());
    long unused = seeds.each(2, seed -> assertEquals(runs.hash(seed), runs.hash(seed)));
  }
}
