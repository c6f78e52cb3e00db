package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes and reads that make one of the cases happen in which replicas that differ are easily read
 * in a wrong way. All is about one partition.
 */
final class DivergedScenario {
  /** How many timestamps a scenario takes. */
  static final int TIMESTAMPS = 10;

  /** Who gets a write. */
  enum At {
    /** All replicas. */
    ALL,
    /** One of them, the same in all of a scenario. */
    ONE,
    /** Another one. */
    OTHER
  }

  /** What is done next. */
  sealed interface Step {}

  /** A write to some replicas. */
  record Writing(At at, DivergingWrites.Drawn write) implements Step {}

  /** A read. */
  record Reading(DivergedSelects.Drawn select) implements Step {}

  private final SimRandomness choices;
  private final ReadTable table;
  private final long timestamp;
  private final int partition;
  private final List<Step> steps = new ArrayList<>();

  private DivergedScenario(SimRandomness choices, ReadTable table, long timestamp) {
    this.choices = choices;
    this.table = table;
    this.timestamp = timestamp;
    partition = choices.below(ReadTable.KEYS);
  }

  /**
   * Draws one.
   *
   * @param timestamp later than all writes before
   */
  static List<Step> draw(SimRandomness choices, ReadTable table, long timestamp) {
    DivergedScenario scenario = new DivergedScenario(choices, table, timestamp);
    switch (choices.below(4)) {
      case 0 -> scenario.lateWriteUnderDeletion();
      case 1 -> scenario.overwritten();
      case 2 -> scenario.shortRead();
      default -> scenario.unselectedCell();
    }
    return scenario.steps;
  }

  /** Where a row is: the same for the same number, and others for others. */
  private String row(int number) {
    StringBuilder where = new StringBuilder("p = ").append(partition);
    if (table.partitionKey.size() > 1) {
      where.append(" AND q = 'a'");
    }
    if (!table.clustering.isEmpty()) {
      where.append(" AND c = ").append(number);
    }
    if (table.clustering.size() > 1) {
      where.append(" AND d = 1");
    }
    return where.toString();
  }

  private String wholePartition() {
    return "p = " + partition + (table.partitionKey.size() > 1 ? " AND q = 'a'" : "");
  }

  private void write(At at, String cql) {
    steps.add(new Writing(at, new DivergingWrites.Drawn(cql, Set.of(partition), false)));
  }

  private void set(At at, int row, String assignment, int after) {
    write(
        at,
        "UPDATE %s USING TIMESTAMP %d SET %s WHERE %s"
            .formatted(table.cql(), timestamp + after, assignment, row(row)));
  }

  private void delete(At at, String where, int after) {
    write(
        at,
        "DELETE FROM %s USING TIMESTAMP %d WHERE %s"
            .formatted(table.cql(), timestamp + after, where));
  }

  private void read(DivergedSelects.Drawn select) {
    steps.add(new Reading(select));
  }

  private void readWhole() {
    boolean isWhole = table.partitionKey.size() == 1;
    read(
        new DivergedSelects.Drawn(
            "SELECT * FROM " + table.cql() + " WHERE " + wholePartition(),
            -1,
            true,
            false,
            false,
            false,
            true,
            table.partitionKey.size() + table.clustering.size(),
            isWhole ? partition : DivergedSelects.NONE));
  }

  /** Only one replica has a deletion, until a read; then an older write reaches another one. */
  private void lateWriteUnderDeletion() {
    delete(At.ALL, wholePartition(), 1);
    set(At.ALL, 3, "v = 1", 2);
    if (choices.percent(50)) {
      set(At.ALL, 0, "v = 3", 2);
    }
    readWhole();
    String range = table.clustering.isEmpty() ? "" : " AND c >= 0 AND c <= 1";
    delete(At.ONE, wholePartition() + range, 4);
    readWhole();
    set(At.OTHER, choices.below(2), "v = 2", 3);
    readWhole();
  }

  /** A row matches what only an older version of it has, or only the newer one. */
  private void overwritten() {
    int row = choices.below(4);
    set(At.ALL, row, "v = 1, w = 'x'", 1);
    set(At.ONE, row, "v = 2", 2);
    String where = choices.percent(50) ? " WHERE " + wholePartition() + " AND v = " : " WHERE v = ";
    for (int value : choices.percent(50) ? new int[] {1, 2} : new int[] {2, 1}) {
      boolean ofPartition = where.contains("p =");
      read(
          new DivergedSelects.Drawn(
              "SELECT * FROM " + table.cql() + where + value + " ALLOW FILTERING",
              choices.percent(20) ? 1 : -1,
              true,
              true,
              table.hasIndexOf("v"),
              false,
              ofPartition,
              table.partitionKey.size() + table.clustering.size(),
              DivergedSelects.NONE));
    }
  }

  /** The first rows that one replica has are deleted on another one. */
  private void shortRead() {
    for (int row = 0; row < 4; row++) {
      set(At.ALL, row, "v = " + row, 1);
    }
    boolean descends = choices.percent(50) && !table.clustering.isEmpty();
    for (int i = choices.below(3); i >= 0; i--) {
      delete(i == 0 ? At.ONE : At.OTHER, row(descends ? 3 - i : i), 2);
    }
    String order = table.clustering.isEmpty() ? "" : " ORDER BY c " + (descends ? "DESC" : "ASC");
    read(
        new DivergedSelects.Drawn(
            "SELECT * FROM "
                + table.cql()
                + " WHERE "
                + wholePartition()
                + order
                + " LIMIT "
                + (1 + choices.below(3)),
            -1,
            true,
            false,
            false,
            true,
            true,
            table.partitionKey.size() + table.clustering.size(),
            DivergedSelects.NONE));
  }

  /** A cell that is not selected makes a row exist, and only one replica has it. */
  private void unselectedCell() {
    int row = choices.below(4);
    delete(At.ALL, row(row), 1);
    set(At.ONE, row, "w = 'y'", 2);
    List<String> keys = new ArrayList<>(table.partitionKey);
    keys.addAll(table.clustering);
    boolean scans = choices.percent(30);
    read(
        new DivergedSelects.Drawn(
            "SELECT "
                + String.join(", ", keys)
                + ", v FROM "
                + table.cql()
                + (scans ? "" : " WHERE " + wholePartition()),
            -1,
            false,
            false,
            false,
            false,
            !scans,
            keys.size(),
            DivergedSelects.NONE));
  }
}
