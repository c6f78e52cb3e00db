package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.helenus.server.cluster.FormingWorld.Bug;
import io.helenus.storage.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forms clusters from many seeds: {@code -Dsimulation.seeds=20000} for a long run. */
class FormingSimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 1000);
  private static final int SEEDS_TO_CATCH_A_BUG = 300;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  @Test
  void nodesBecomeOneClusterAndNeverTwo() throws Exception {
    long count = seeds.each(SEEDS, seed -> FormingScenario.run(seed, Bug.NONE));
    if (count >= 500) {
      for (String happened :
          new String[] {
            "swapped",
            "moved",
            "wiped",
            "seeds wiped",
            "copied",
            "folder moved",
            "wrong lists formed"
          }) {
        assertTrue(FormingScenario.COUNTS.getOrDefault(happened, 0) >= count / 100, happened);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void plantedBugsAreFound(Bug bug) {
    for (long seed = 1; seed <= SEEDS_TO_CATCH_A_BUG; seed++) {
      try {
        FormingScenario.run(seed, bug);
      } catch (AssertionError e) {
        if (String.valueOf(e.getMessage()).contains(bug.failure)) {
          return;
        }
      }
    }
    fail(bug + " is not found");
  }
}
