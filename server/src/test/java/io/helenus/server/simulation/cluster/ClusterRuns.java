package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.fail;

import io.helenus.storage.testing.Shrinker;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs many seeds of a setup, and shortens those that fail. */
final class ClusterRuns {
  private static final int SHRINKING_RUNS = 300;
  private static final Consumer<String> SILENT = line -> {};

  /** One run of a seed, for one use. */
  interface Run {
    /** Runs steps; returns the hash of all events. */
    long run(List<Long> chosen);

    /** How often things happened. */
    Map<String, Long> counts();
  }

  /** Makes the run of a seed, which writes a line to the trace for each event that matters. */
  interface Maker {
    Run make(long seed, Consumer<String> trace);
  }

  private final int steps;
  private final Maker runs;
  private final Floors floors = new Floors();

  /** Runs of any kind, with so many steps each. */
  ClusterRuns(int steps, Maker runs) {
    this.steps = steps;
    this.runs = runs;
  }

  /**
   * Runs of one kind.
   *
   * @param setups what a seed's run is about
   * @param factories makes one factory for each run
   */
  ClusterRuns(LongFunction<ClusterRun.Setup> setups, int steps, Supplier<NodeFactory> factories) {
    this(steps, (seed, trace) -> new ClusterRun(seed, setups.apply(seed), factories.get(), trace));
  }

  /** What happened in all runs that did not fail. */
  Floors floors() {
    return floors;
  }

  /** Runs a seed; a failing one is shortened, and the steps that remain are shown. */
  void requireRight(long seed) {
    List<Long> all = ClusterRun.steps(seed, steps);
    ViolationError found = run(seed, all, SILENT);
    if (found == null) {
      return;
    }
    List<Long> fewer =
        Shrinker.shrink(
            all, found.violation(), SHRINKING_RUNS, candidate -> run(seed, candidate, SILENT));
    StringJoiner trace = new StringJoiner("\n");
    ViolationError again = run(seed, fewer, trace::add);
    throw new AssertionError(
        (again == null ? found : again).getMessage()
            + "\nafter "
            + fewer.size()
            + " of "
            + all.size()
            + " steps:\n"
            + trace,
        found);
  }

  /** The hash of all events of a seed. */
  long hash(long seed) {
    return runs.make(seed, SILENT).run(ClusterRun.steps(seed, steps));
  }

  /** Requires that one of some seeds finds a violation; returns the first that does. */
  long requireFound(Violation violation, long firstSeed, long lastSeed) {
    return requireFound(Set.of(violation), firstSeed, lastSeed);
  }

  /** The same of any of some violations. */
  long requireFound(Set<Violation> violations, long firstSeed, long lastSeed) {
    StringJoiner others = new StringJoiner(", ");
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      ViolationError found = run(seed, ClusterRun.steps(seed, steps), SILENT);
      if (found != null && violations.contains(found.violation())) {
        return seed;
      }
      others.add(found == null ? "nothing" : found.violation().toString());
    }
    return fail("the planted bug was not detected as " + violations + " but as " + others);
  }

  private @Nullable ViolationError run(long seed, List<Long> chosen, Consumer<String> trace) {
    try {
      Run run = runs.make(seed, trace);
      long hash = run.run(chosen);
      assert hash != 0;
      floors.add(run.counts());
      return null;
    } catch (RuntimeException | AssertionError e) {
      return ViolationError.of(e);
    }
  }
}
