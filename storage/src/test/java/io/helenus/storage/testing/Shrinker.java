package io.helenus.storage.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Shortens the list of steps of a failing run: deletes chunks, then single steps, as long as the
 * run still fails with the same {@link Violation}. A run is a function of its steps, so the result
 * is the same every time. Stateless.
 */
public final class Shrinker {
  /** Runs a list of steps from a fresh state. */
  public interface Trial<S> {
    /** The violation found; null if there is none. */
    @Nullable ViolationError run(List<S> steps);
  }

  private Shrinker() {}

  /**
   * Returns a shorter list that fails with the same violation.
   *
   * @param trials the maximum number of runs
   */
  public static <S> List<S> shrink(
      List<S> failing, Violation violation, int trials, Trial<S> trial) {
    return shrink(
        failing,
        trials,
        steps -> {
          ViolationError found = trial.run(steps);
          return found != null && found.violation() == violation;
        });
  }

  /**
   * Returns a shorter list for which the predicate still holds.
   *
   * @param trials the maximum number of evaluations
   */
  public static <S> List<S> shrink(List<S> failing, int trials, Predicate<List<S>> failsAlike) {
    List<S> shortest = failing;
    int left = trials;
    int chunk = Math.max(1, failing.size() / 2);
    while (left > 0) {
      boolean removed = false;
      for (int end = shortest.size(); end > 0 && left > 0; end -= chunk) {
        List<S> candidate = without(shortest, Math.max(0, end - chunk), end);
        left--;
        if (failsAlike.test(candidate)) {
          shortest = candidate;
          removed = true;
        }
      }
      if (chunk == 1 && !removed) {
        return shortest;
      }
      chunk = Math.max(1, Math.min(chunk / 2, shortest.size()));
    }
    return shortest;
  }

  private static <S> List<S> without(List<S> steps, int from, int to) {
    List<S> rest = new ArrayList<>(steps.subList(0, from));
    rest.addAll(steps.subList(to, steps.size()));
    return rest;
  }
}
