package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

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
 * Runs a node in one thread from many seeds: {@code -Dsimulation.seeds=1000} for a long run, {@code
 * -Dseed=N} for one seed. A failing run is minimized, and the remaining steps are shown.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 50);
  private static final int STEPS = Integer.getInteger("simulation.steps", 300);
  private static final int SHRINKING_RUNS = 400;
  private static final int SEEDS_TO_CATCH_A_BUG = 600;
  private static final Consumer<String> SILENT = line -> {};

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  @Test
  void everySeedAgreesWithTheModel() throws Exception {
    seeds.each(
        SEEDS,
        seed -> {
          List<Long> steps = Simulation.steps(seed, STEPS);
          ViolationError found = run(seed, steps, SimNode.Hooks.NONE, SILENT);
          if (found != null) {
            throw shrunk(seed, steps, found);
          }
        });
  }

  @Test
  void aSeedRunTwiceGivesTheSameEvents() throws Exception {
    seeds.each(
        3,
        seed -> {
          List<Long> steps = Simulation.steps(seed, STEPS);
          assertEquals(hash(seed, steps), hash(seed, steps));
        });
  }

  @Test
  void aMissingSyncIsDetected() {
    assertCaught(Violation.LOST_WRITE, PlantedBugs.LOG_NOT_SYNCED);
  }

  @Test
  void anAcknowledgementBeforeTheLogWriteIsDetected() {
    assertCaught(Violation.LOST_WRITE, PlantedBugs.ANSWER_BEFORE_LOG);
  }

  @Test
  void aPrematurePurgeIsDetected() {
    assertCaught(Violation.RESURRECTED, PlantedBugs.PURGE_TOO_EARLY);
  }

  @Test
  void aRowOmittedBetweenPagesIsDetected() {
    assertCaught(Violation.SKIPPED_ROW, PlantedBugs.PAGE_SKIPS_ROW);
  }

  @Test
  void aSyncErrorIgnoredByAFlushIsDetected() {
    assertCaught(Violation.NOT_STARTED, PlantedBugs.FLUSH_IGNORES_ERROR);
  }

  @Test
  void aReadErrorTreatedAsTheEndIsDetected() {
    assertCaught(Violation.LOST_WRITE, PlantedBugs.READ_ERROR_ENDS_SCAN);
  }

  @Test
  void aRejectedWriteThatIsAppliedIsDetected() {
    assertCaught(Violation.REFUSED_WRITE_APPLIED, PlantedBugs.REFUSED_BUT_APPLIED);
  }

  @Test
  void aBatchWithoutBatchLogIsDetected() {
    assertCaught(Violation.TORN_MUTATION, PlantedBugs.NO_BATCH_LOG);
  }

  @Test
  void aLostUpdateOfAViewIsDetected() {
    // the first seeds write too few rows twice
    assertCaught(Violation.WRONG_VIEW, PlantedBugs.VIEW_UPDATE_LOST, 25);
  }

  @Test
  void undeletedFilesAreDetected() {
    assertCaught(Violation.LEAKED_FILE, PlantedBugs.FILES_NOT_DELETED);
  }

  private static long hash(long seed, List<Long> steps) {
    return new Simulation(seed, SimNode.Hooks.NONE, SILENT).run(steps);
  }

  private static @Nullable ViolationError run(
      long seed, List<Long> steps, SimNode.Hooks hooks, Consumer<String> trace) {
    try {
      long hash = new Simulation(seed, hooks, trace).run(steps);
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
            candidate -> run(seed, candidate, SimNode.Hooks.NONE, SILENT));
    StringJoiner trace = new StringJoiner("\n");
    ViolationError again = run(seed, fewer, SimNode.Hooks.NONE, trace::add);
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

  private static void assertCaught(Violation violation, SimNode.Hooks bug) {
    assertCaught(violation, bug, 1);
  }

  private static void assertCaught(Violation violation, SimNode.Hooks bug, long firstSeed) {
    StringJoiner others = new StringJoiner(", ");
    for (long seed = firstSeed; seed <= SEEDS_TO_CATCH_A_BUG; seed++) {
      ViolationError found = run(seed, Simulation.steps(seed, STEPS), bug, SILENT);
      if (found != null && found.violation() == violation) {
        return;
      }
      others.add(found == null ? "nothing" : found.violation().toString());
    }
    fail("the planted bug was not detected as " + violation + " but as " + others);
  }
}
