package io.helenus.server.simulation.cluster;

import java.util.Map;
import java.util.TreeMap;

/** How often things happened, by name. */
final class Counts {
  private final Map<String, Long> counts = new TreeMap<>();

  void add(String name) {
    counts.merge(name, 1L, Long::sum);
  }

  Map<String, Long> all() {
    return Map.copyOf(counts);
  }
}
