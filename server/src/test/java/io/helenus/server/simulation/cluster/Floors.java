package io.helenus.server.simulation.cluster;

import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.Map;
import java.util.TreeMap;

/** How often things happened in all runs of a test, so that it fails if they hardly did. */
final class Floors {
  private final Map<String, Long> counts = new TreeMap<>();

  /** Adds what happened in one run. */
  void add(Map<String, Long> run) {
    run.forEach((name, count) -> counts.merge(name, count, Long::sum));
  }

  /** Fails if something happened less often than this. */
  Floors require(String name, long least) {
    if (counts.getOrDefault(name, 0L) < least) {
      throw new ViolationError(
          Violation.EMPTY_RUN, "fewer than " + least + " " + name + " among " + counts);
    }
    return this;
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
