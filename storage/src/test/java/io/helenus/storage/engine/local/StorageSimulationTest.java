package io.helenus.storage.engine.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.sim.SyncDroppingFileSystem;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Runs seeds of {@link StorageSimulation}: a few by default, more with {@code
 * -Dhelenus.simulation.seeds=1000}, one with {@code -Dhelenus.simulation.first=SEED
 * -Dhelenus.simulation.seeds=1}.
 */
class StorageSimulationTest {
  private static final int ACTIONS = 1_000;
  private static final long SEEDS = Long.getLong("helenus.simulation.seeds", 8);
  private static final long FIRST = Long.getLong("helenus.simulation.first", 1);

  private static StorageSimulation live(long seed) throws IOException {
    StorageSimulation simulation = new StorageSimulation(seed);
    run(simulation, seed);
    return simulation;
  }

  private static long run(StorageSimulation simulation, long seed) throws IOException {
    try {
      return simulation.run(ACTIONS);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  @Test
  void everySeedMatchesTheModel() throws IOException {
    int crashes = 0;
    int checks = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      StorageSimulation simulation = live(seed);
      crashes += simulation.crashes;
      checks += simulation.checks;
    }
    assertTrue(crashes > 0 && checks > 100, crashes + " crashes, " + checks + " checks");
  }

  @Test
  void aSeedRunTwiceGivesTheSameHashOfEvents() throws IOException {
    for (long seed = FIRST; seed < FIRST + 3; seed++) {
      assertEquals(run(new StorageSimulation(seed), seed), run(new StorageSimulation(seed), seed));
    }
  }

  @Test
  void aLogThatIsNotSyncedIsDetected() {
    assertCaught(
        simulation ->
            simulation.storage.wrapper =
                files -> new SyncDroppingFileSystem(files, path -> path.startsWith("commitlog/")));
  }

  @Test
  void deletionsPurgedTooEarlyAreDetected() {
    assertCaught(
        simulation -> simulation.storage.graceRule = (table, nowSeconds) -> nowSeconds + 1_000);
  }

  /** Injects a bug. */
  private interface Plant {
    void into(StorageSimulation simulation);
  }

  private static void assertCaught(Plant bug) {
    for (long seed = 1; seed <= 50; seed++) {
      StorageSimulation simulation = new StorageSimulation(seed);
      bug.into(simulation);
      try {
        long hash = simulation.run(ACTIONS);
        assert hash != 0;
      } catch (AssertionError | IOException | RuntimeException caught) {
        return;
      }
    }
    throw new AssertionError("the injected bug was not detected within 50 seeds");
  }
}
