package io.helenus.server.simulation;

import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The materialized views of a table, and their comparison with what their definition makes of the
 * table's rows. One has a regular column in its key, the other shows the same rows in another order
 * and without one of the columns.
 */
final class ViewChecks {
  private static final String NOT_NULL = "p IS NOT NULL AND c IS NOT NULL AND d IS NOT NULL";
  private static final int ATTEMPTS = 8;
  private static final long ATTEMPT_NANOS = 20_000_000_000L;

  private final Simulation simulation;
  private final Function<String, List<Row>> reader;

  /**
   * Creates the checks of a simulation.
   *
   * @param reader all rows of a SELECT
   */
  ViewChecks(Simulation simulation, Function<String, List<Row>> reader) {
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
    if (table.hasViews && table.viewsLate) {
      simulation.calm();
      drop(table);
      create(table);
    }
    for (int i = 0; table.hasViews && simulation.model.unknown.isEmpty(); i++) {
      String difference = difference(table);
      if (difference == null) {
        table.viewsAgree = true;
        return;
      }
      if (table.viewsAgree || i == ATTEMPTS) {
        throw new ViolationError(Violation.WRONG_ROW, difference);
      }
      simulation.calm();
      simulation.world.runFor(ATTEMPT_NANOS);
    }
  }

  private @Nullable String difference(Model.Table table) {
    long second;
    String difference;
    do {
      second = simulation.seconds();
      List<Row> base =
          reader.apply("SELECT * FROM sim." + table.name).stream()
              .filter(row -> row.c() != null)
              .map(row -> shown(row, row.w()))
              .toList();
      difference =
          difference(
              "SELECT * FROM sim." + table.name + "_by_v",
              base.stream().filter(row -> row.v() != null).toList());
      if (difference == null) {
        difference =
            difference(
                "SELECT * FROM sim." + table.name + "_by_c",
                base.stream().map(row -> shown(row, null)).toList());
      }
    } while (second != simulation.seconds());
    return difference;
  }

  /** A row as a view shows it. */
  private static Row shown(Row row, @Nullable Integer w) {
    return new Row(row.p(), row.c(), row.d(), null, Map.of(), row.v(), w, row.m());
  }

  private @Nullable String difference(String cql, List<Row> expected) {
    List<Row> found = reader.apply(cql);
    boolean equal =
        found.size() == expected.size() && new HashSet<>(found).equals(new HashSet<>(expected));
    return equal
        ? null
        : cql + " returns " + found + "\n  instead of " + Objects.toString(expected);
  }
}
