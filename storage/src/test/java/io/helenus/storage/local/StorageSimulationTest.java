package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.helenus.storage.env.sim.FileSystemBug;
import io.helenus.storage.testing.Seeds;
import io.helenus.storage.testing.Shrinker;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs {@link StorageSimulation} from many seeds: {@code -Dsimulation.seeds=1000} for a long run,
 * {@code -Dseed=N} for one seed. A failing run is minimized, and the remaining steps are shown.
 */
class StorageSimulationTest {
  private static final int STEPS = 1_000;
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 8);
  private static final int SHRINKING_RUNS = 400;
  private static final int SEEDS_TO_CATCH_A_BUG = 50;
  private static final Consumer<String> SILENT = line -> {};

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  /** A bug that the simulation must detect. */
  private interface Bug {
    void plantIn(StorageSimulation simulation);
  }

  @Test
  void everySeedAgreesWithTheModel() throws Exception {
    int[] totals = new int[5];
    seeds.each(
        SEEDS,
        seed -> {
          List<Long> steps = StorageSimulation.steps(seed, STEPS);
          StorageSimulation simulation = new StorageSimulation(seed, SILENT);
          ViolationError found = run(simulation, steps);
          if (found != null) {
            throw shrunk(seed, steps, found);
          }
          totals[0] += simulation.crashes;
          totals[1] += simulation.checks;
          totals[2] += simulation.indexes.rowsFound;
          totals[3] += simulation.indexes.rowsInTable;
          totals[4] += simulation.indexes.nearestFound;
        });
    assertTrue(totals[0] > 0 && totals[1] > 50, totals[0] + " crashes, " + totals[1] + " checks");
    assertTrue(
        totals[2] > 0 && totals[2] < totals[3] / 2,
        "reads through indexes returned " + totals[2] + " of " + totals[3] + " rows");
    assertTrue(totals[4] > 50, totals[4] + " rows found by their vectors");
  }

  @Test
  void aSeedRunTwiceGivesTheSameHashOfEvents() throws Exception {
    seeds.each(
        3,
        seed -> {
          List<Long> steps = StorageSimulation.steps(seed, STEPS);
          assertEquals(
              new StorageSimulation(seed, SILENT).run(steps),
              new StorageSimulation(seed, SILENT).run(steps));
        });
  }

  @Test
  void aLogThatIsNotSyncedIsDetected() {
    assertCaught(
        Violation.LOST_WRITE,
        simulation ->
            simulation.storage.wrapper =
                files -> FileSystemBug.dropSyncs(files, path -> path.startsWith("commitlog/")));
  }

  @Test
  void deletionsPurgedTooEarlyAreDetected() {
    assertCaught(
        Violation.RESURRECTED,
        simulation -> simulation.storage.graceRule = (table, nowSeconds) -> nowSeconds + 1_000);
  }

  @Test
  void anSstableThatIsNotSyncedIsDetected() {
    assertCaught(
        Violation.NOT_STARTED,
        simulation ->
            simulation.storage.wrapper =
                files -> FileSystemBug.dropSyncs(files, path -> path.startsWith("sstables/")));
  }

  private static @Nullable ViolationError run(StorageSimulation simulation, List<Long> steps) {
    try {
      long hash = simulation.run(steps);
      assert hash != 0;
      return null;
    } catch (RuntimeException | AssertionError e) {
      return ViolationError.of(e);
    }
  }

  private static AssertionError shrunk(long seed, List<Long> steps, ViolationError found) {
    List<Long> fewer =
        Shrinker.shrink(
            steps,
            found.violation(),
            SHRINKING_RUNS,
            candidate -> run(new StorageSimulation(seed, SILENT), candidate));
    StringJoiner trace = new StringJoiner("\n");
    ViolationError again = run(new StorageSimulation(seed, trace::add), fewer);
    return new AssertionError(
        (again == null ? found : again).getMessage()
            + "\nafter "
            + fewer.size()
            + " of "
            + steps.size()
            + " steps:\n"
            + trace,
        found);
  }

  private static void assertCaught(Violation violation, Bug bug) {
    StringJoiner others = new StringJoiner(", ");
    for (long seed = 1; seed <= SEEDS_TO_CATCH_A_BUG; seed++) {
      StorageSimulation simulation = new StorageSimulation(seed, SILENT);
      bug.plantIn(simulation);
      ViolationError found = run(simulation, StorageSimulation.steps(seed, STEPS));
      if (found != null && found.violation() == violation) {
        return;
      }
      others.add(found == null ? "nothing" : found.violation().toString());
    }
    fail("the planted bug was not detected as " + violation + " but as " + others);
  }
}
