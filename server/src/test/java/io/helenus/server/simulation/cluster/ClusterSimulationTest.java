package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.sim.FileSystemBug;
import io.helenus.storage.testing.Seeds;
import io.helenus.storage.testing.Violation;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs clusters of real nodes in one thread from many seeds: {@code -Dcluster.seeds=2000} for a
 * long run, {@code -Dcluster.first=N} to begin elsewhere, {@code -Dseed=N} for one seed, {@code
 * -Dcluster.bugs=true} for all planted bugs. A failing run is shortened, and the remaining steps
 * are shown.
 */
class ClusterSimulationTest {
  private static final int SEEDS = Integer.getInteger("cluster.seeds", 20);
  private static final int SEEDS_TO_CATCH_A_BUG = 300;
  private static final int STEPS = Integer.getInteger("cluster.steps", 150);
  private static final ClusterRun.Setup ONE = new ClusterRun.Setup(1, 1, true);
  private static final ClusterRun.Setup THREE = new ClusterRun.Setup(3, 3, true);

  @RegisterExtension final Seeds seeds = Seeds.from(Integer.getInteger("cluster.first", 1));

  private static ClusterRuns runs(ClusterRun.Setup setup, RealNode.Factory factory) {
    return new ClusterRuns(setup, STEPS, () -> factory);
  }

  @Test
  void oneNodeAgreesWithTheModel() throws Exception {
    ClusterRuns runs = runs(ONE, new RealNode.Factory());
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
  void threeNodesAgreeWithTheModel() throws Exception {
    ClusterRuns runs = runs(THREE, new RealNode.Factory());
    long count = seeds.each(SEEDS, runs::requireRight);
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
              .require("unavailable", 20);
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

  @ParameterizedTest
  @EnumSource(LinkBug.class)
  void aBugBetweenCoordinatorAndReplicasIsFound(LinkBug bug) {
    assertFound(THREE, new RealNode.Factory(bug), Violation.LOST_WRITE);
  }

  @Test
  void aMissingSyncOfTheCommitLogIsFound() {
    assertFound(ONE, withoutSyncs(path -> path.startsWith("commitlog/")), Violation.LOST_WRITE);
  }

  @EnabledIfSystemProperty(named = "cluster.bugs", matches = "true")
  @Test
  void aMissingSyncOnThreeNodesIsFound() {
    assertFound(THREE, withoutSyncs(path -> path.startsWith("commitlog/")), Violation.LOST_WRITE);
  }

  private static RealNode.Factory withoutSyncs(Predicate<String> paths) {
    return RealNode.Factory.ofFiles(files -> FileSystemBug.dropSyncs(files, paths));
  }

  private static void assertFound(
      ClusterRun.Setup setup, RealNode.Factory bug, Violation violation) {
    long seed = runs(setup, bug).requireFound(violation, 1, SEEDS_TO_CATCH_A_BUG);
    assertTrue(seed > 0);
  }

  @Test
  void aSeedRunTwiceGivesTheSameEvents() throws Exception {
    ClusterRuns runs = runs(THREE, new RealNode.Factory());
    long unused = seeds.each(2, seed -> assertEquals(runs.hash(seed), runs.hash(seed)));
  }
}
