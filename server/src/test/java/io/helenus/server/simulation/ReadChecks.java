package io.helenus.server.simulation;

import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a simulation: comparisons of tables and slices with the {@link Model}, and paged
 * scans that are disturbed or abandoned.
 */
final class ReadChecks {
  private static final int READ_TIMEOUT = 0x1200;
  private static final int ATTEMPTS = 10;

  private final Simulation simulation;
  private final TableReader reader;
  final ViewChecks views;

  ReadChecks(Simulation simulation) {
    this.simulation = simulation;
    this.reader = new TableReader(simulation::ask);
    this.views = new ViewChecks(simulation, reader::texts);
  }

  Model.Seen read(Model.Table table) {
    return reader.seen(table, "SELECT * FROM sim." + table.name, -1, simulation::seconds);
  }

  void compareAll() {
    simulation.settle();
    for (Model.Table table : simulation.model.tables) {
      if (table.exists) {
        compare(table);
      }
    }
    if (simulation.model.isBlurred()) {
      simulation.calm();
      simulation.model.tables.forEach(simulation::truncate);
    }
  }

  private void compare(Model.Table table) {
    long began = simulation.world.clock().nanos();
    try {
      Model.Seen seen = read(table);
      seen.partitions().forEach(rows -> simulation.world.note(rows.hashCode()));
      simulation.model.narrow(seen);
      compareSlice(table);
      compareIndexed(table);
      views.compare(table);
    } catch (TableReader.ReadFailedException e) {
      forgive(e, began);
    }
  }

  private void forgive(TableReader.ReadFailedException e, long began) {
    boolean stalled =
        e.code == READ_TIMEOUT && simulation.stalledUntilNanos >= began - Simulation.CALM_NANOS;
    if (!stalled && simulation.node.fatal == null && !simulation.faults.mayFailReads(began)) {
      throw new ViolationError(Violation.UNREADABLE, e.getMessage(), e);
    }
  }

  /**
   * Reads the same rows by slices, mostly in reverse, with and without paging, whole or with one
   * element of each map.
   */
  private void compareSlice(Model.Table table) {
    int p = simulation.choices.below(Model.PARTITIONS);
    int c = simulation.choices.below(Statements.CLUSTERINGS);
    int key = simulation.choices.percent(50) ? simulation.choices.below(Statements.MAP_KEYS) : -1;
    boolean reversed = simulation.choices.percent(75);
    String cql =
        String.format(
            "SELECT %s FROM sim.%s WHERE p = %d AND c >= %d%s",
            key < 0 ? "*" : columns(table, key),
            table.name,
            p,
            c,
            reversed ? " ORDER BY c DESC" : "");
    int pageSize = simulation.choices.percent(50) ? 1 + simulation.choices.below(3) : -1;
    Model.Seen seen = reader.seen(table, cql, pageSize, simulation::seconds).ofSlice();
    seen = reversed ? seen.reversed() : seen;
    simulation.model.compareSlice(key < 0 ? seen : seen.ofElement(key), p, c);
  }

  /**
   * Compares rows that are found by an index with those among all rows, unless some may have
   * changed meanwhile. After a failed read of its files an index is built again.
   */
  private void compareIndexed(Model.Table table) {
    for (int i = 0; simulation.model.unknown.isEmpty(); i++) {
      try {
        compareFound(table);
        return;
      } catch (TableReader.ReadFailedException e) {
        if (i == ATTEMPTS || !e.getMessage().contains("still being built")) {
          throw e;
        }
        simulation.calm();
        simulation.world.runFor(Simulation.CALM_NANOS);
      }
    }
  }

  private void compareFound(Model.Table table) {
    long second = simulation.seconds();
    List<Row> all = rows("SELECT * FROM sim." + table.name, -1);
    boolean ofStatic = simulation.choices.percent(50);
    Function<Row, @Nullable Integer> column = ofStatic ? Row::s : Row::v;
    List<Integer> values = all.stream().map(column).filter(Objects::nonNull).toList();
    if (values.isEmpty()) {
      return;
    }
    Integer value = values.get(simulation.choices.below(values.size()));
    String cql =
        "SELECT * FROM sim." + table.name + " WHERE " + (ofStatic ? "s = " : "v = ") + value;
    int pageSize = simulation.choices.percent(50) ? 1 + simulation.choices.below(3) : -1;
    List<Row> found = rows(cql, pageSize);
    List<Row> expected = all.stream().filter(row -> value.equals(column.apply(row))).toList();
    if (second == simulation.seconds() && !found.equals(expected)) {
      boolean lost = !found.containsAll(expected);
      throw new ViolationError(
          lost ? Violation.LOST_WRITE : Violation.WRONG_ROW,
          cql + " returns " + found + " of " + expected);
    }
  }

  private List<Row> rows(String cql, int pageSize) {
    TableReader.Pages pages = reader.pages(cql, pageSize);
    while (pages.next()) {
      // until the last page
    }
    return pages.rows();
  }

  /** All columns, but only one element of each map. */
  private static String columns(Model.Table table, int key) {
    return String.format("p, c, d, s, sm[%d], v, %sm[%d]", key, table.hasW ? "w, " : "", key);
  }

  /** A paged scan, with other activity between the pages. */
  void scan() {
    simulation.calm();
    Model.Table table = simulation.model.tables.get(simulation.choices.below(Model.TABLES));
    if (!table.exists) {
      return;
    }
    if (!simulation.model.unknown.isEmpty()) {
      simulation.stopAndStart(); // they could appear between two pages
    }
    long first = simulation.seconds();
    String cql = "SELECT * FROM sim." + table.name;
    TableReader.Pages pages = reader.pages(cql, 1 + simulation.choices.below(4));
    while (pages.next()) {
      disturbScan();
    }
    long last = simulation.seconds();
    Model.Seen paged = pages.seen(table, first, last);
    Model.Seen whole = reader.seen(table, cql, -1, simulation::seconds);
    simulation.model.narrow(whole);
    try {
      simulation.model.narrow(paged);
    } catch (ViolationError e) {
      pages.checkAgainst(whole, paged);
      throw e;
    }
  }

  private void disturbScan() {
    switch (simulation.choices.below(12)) {
      case 0 -> simulation.node.flush();
      case 1 -> simulation.compact();
      case 2 -> simulation.world.runFor(simulation.choices.below(50) * 1_000_000L);
      case 3 -> simulation.stopAndStart();
      case 4 -> simulation.crash(false);
      default -> simulation.runSteps(simulation.choices.below(5));
    }
  }

  /** The client disconnects in the middle of a scan. */
  void abortScan() {
    Model.Table table = simulation.model.tables.get(simulation.choices.below(Model.TABLES));
    if (!table.exists) {
      return;
    }
    int pageSize = simulation.choices.percent(50) ? 1 + simulation.choices.below(3) : -1;
    Runnable disconnect =
        simulation.send(
            new SimNode.Query("SELECT * FROM sim." + table.name, 0, pageSize, null),
            response -> simulation.trace("  response after the disconnect"));
    simulation.runSteps(simulation.choices.below(10));
    simulation.trace("the client disconnects");
    disconnect.run();
  }
}
