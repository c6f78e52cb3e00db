package io.helenus.server.simulation;

import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The materialized views of a table, and their comparison with what their definition makes of the
 * table's rows, write times and TTLs included. One has a regular column in its key, the other shows
 * the same rows in another order and without one of the columns.
 */
final class ViewChecks {
  private static final String M = "m, writetime(m), ttl(m)";
  private static final String NOT_NULL = "p IS NOT NULL AND c IS NOT NULL AND d IS NOT NULL";

  // the first column is null where the view shows no row: v, or c in a partition of static values
  private static final String BY_V = "v, p, c, d, w, writetime(w), ttl(w), " + M;
  private static final String BY_C = "c, p, d, v, writetime(v), ttl(v), " + M;

  private static final int ATTEMPTS = 8;
  private static final long ATTEMPT_NANOS = 20_000_000_000L;

  private final Simulation simulation;
  private final Function<String, List<List<String>>> reader;

  /**
   * Creates the checks of a simulation.
   *
   * @param reader the values of all rows of a SELECT as texts, empty for null
   */
  ViewChecks(Simulation simulation, Function<String, List<List<String>>> reader) {
    this.simulation = simulation;
    this.reader = reader;
  }

  void create(Model.Table table) {
    String name = "sim." + table.name;
    simulation.require(
        "CREATE MATERIALIZED VIEW %s_by_v AS SELECT p, c, d, v, w, m FROM %s WHERE v IS NOT NULL AND %s PRIMARY KEY (v, p, c, d)"
            .formatted(name, name, NOT_NULL));
    simulation.require(
        "CREATE MATERIALIZED VIEW %s_by_c AS SELECT p, c, d, v, m FROM %s WHERE %s PRIMARY KEY (c, p, d)"
            .formatted(name, name, NOT_NULL));
    table.hasViews = true;
    Model.viewsAgree(table);
    table.viewsAgree = false;
    table.viewsLate = false;
  }

  void drop(Model.Table table) {
    simulation.require("DROP MATERIALIZED VIEW sim." + table.name + "_by_v");
    simulation.require("DROP MATERIALIZED VIEW sim." + table.name + "_by_c");
    table.hasViews = false;
  }

  /**
   * Compares the views of a table with its rows, unless a write is undecided. They agree at once,
   * except after they were created or after a write failed, which the replay of the batch log
   * completes.
   */
  void compare(Model.Table table) {
    if (table.hasViews && Model.mayDifferForGood(table, simulation.seconds())) {
      simulation.calm();
      drop(table);
      create(table);
    }
    for (int i = 0; table.hasViews && simulation.model.unknown.isEmpty(); i++) {
      String difference = difference(table);
      if (difference == null) {
        Model.viewsAgree(table);
        return;
      }
      if (table.viewsAgree || i == ATTEMPTS) {
        throw new ViolationError(Violation.WRONG_VIEW, difference);
      }
      simulation.calm();
      simulation.world.runFor(ATTEMPT_NANOS);
    }
  }

  private @Nullable String difference(Model.Table table) {
    String base = "sim." + table.name;
    long second;
    String difference;
    do {
      second = simulation.seconds();
      difference = difference(BY_V, base, base + "_by_v");
      if (difference == null) {
        difference = difference(BY_C, base, base + "_by_c");
      }
    } while (second != simulation.seconds());
    return difference;
  }

  /** Compares what a table and a view show, but for rows whose first value is null. */
  private @Nullable String difference(String columns, String base, String view) {
    List<List<String>> expected =
        reader.apply("SELECT " + columns + " FROM " + base).stream()
            .filter(row -> !row.getFirst().isEmpty())
            .toList();
    List<List<String>> found = reader.apply("SELECT " + columns + " FROM " + view);
    boolean equal =
        found.size() == expected.size() && new HashSet<>(found).equals(new HashSet<>(expected));
    return equal
        ? null
        : "%s of %s is %s\n  instead of %s".formatted(columns, view, found, expected);
  }
}
