package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Draws SELECTs of every kind. Some that are drawn are refused, in the same way by a single node.
 */
final class DivergedSelects {
  /** The partition of a {@link Drawn} that reads all of them. */
  static final int ALL = -1;

  /** That of one that does not read partitions as wholes. */
  static final int NONE = -2;

  /**
   * A SELECT.
   *
   * @param pageSize -1 for all rows at once
   * @param selectsAll whether rows are selected with all of their columns
   * @param filters whether rows are tested before they are returned
   * @param usesIndex whether an index finds the rows
   * @param limits whether there is a limit
   * @param ofPartition whether it reads one partition
   * @param keyColumns how many columns of the key each row begins with; 0 if these are no rows of
   *     the table
   * @param whole the partition that it reads as a whole; {@link #ALL}, {@link #NONE}
   */
  record Drawn(
      String cql,
      int pageSize,
      boolean selectsAll,
      boolean filters,
      boolean usesIndex,
      boolean limits,
      boolean ofPartition,
      int keyColumns,
      int whole) {}

  private final SimRandomness choices;
  private final ReadTable table;
  private final List<String> where = new ArrayList<>();
  private boolean filters;
  private boolean usesIndex;
  private boolean ofPartition;
  private boolean scans;
  private boolean selectsRows;
  private String partition = "";

  private DivergedSelects(SimRandomness choices, ReadTable table) {
    this.choices = choices;
    this.table = table;
  }

  /** Everything in a table. */
  static Drawn whole(ReadTable table) {
    String cql = "SELECT * FROM " + table.cql();
    int keyColumns = table.partitionKey.size() + table.clustering.size();
    return new Drawn(cql, -1, true, false, false, false, false, keyColumns, ALL);
  }

  /** Draws one. */
  static Drawn draw(SimRandomness choices, ReadTable table) {
    return new DivergedSelects(choices, table).draw();
  }

  private Drawn draw() {
    restrictPartitions();
    boolean wholePartitions = choices.percent(scans ? 60 : 35);
    if (!wholePartitions) {
      restrictRows();
    }
    if (choices.percent(scans ? 50 : 25)) {
      filter();
    }
    boolean isAll = choices.percent(50);
    String selection = isAll ? "*" : selection();
    StringBuilder cql = new StringBuilder("SELECT ").append(selection);
    cql.append(" FROM ").append(table.cql());
    if (!where.isEmpty()) {
      cql.append(" WHERE ").append(String.join(" AND ", where));
    }
    boolean groups = !isAll && !selection.startsWith("DISTINCT") && choices.percent(15);
    if (groups) {
      boolean byRows = !table.clustering.isEmpty() && choices.percent(50);
      cql.append(" GROUP BY ").append(String.join(", ", table.partitionKey));
      cql.append(byRows ? ", c" : "");
    }
    if (!table.clustering.isEmpty() && !scans && choices.percent(25)) {
      cql.append(" ORDER BY c ").append(choices.percent(50) ? "ASC" : "DESC");
    }
    boolean limits = limit(cql);
    if (filters || choices.percent(5)) {
      cql.append(" ALLOW FILTERING");
    }
    int pageSize = choices.percent(30) ? 1 + choices.below(4) : -1;
    boolean readsAll = isAll && !limits && !filters && !groups;
    int whole = NONE;
    if (readsAll && where.isEmpty()) {
      whole = ALL;
    } else if (readsAll && where.size() == 1 && ofPartition) {
      whole = Integer.parseInt(partition);
    }
    return new Drawn(
        cql.toString(),
        pageSize,
        isAll,
        filters,
        usesIndex,
        limits,
        ofPartition,
        isAll || selectsRows && !groups ? table.partitionKey.size() + table.clustering.size() : 0,
        whole);
  }

  private boolean limit(StringBuilder cql) {
    boolean perPartition = choices.percent(20);
    boolean limit = choices.percent(35);
    if (perPartition) {
      cql.append(" PER PARTITION LIMIT ").append(1 + choices.below(3));
    }
    if (limit) {
      cql.append(" LIMIT ").append(1 + choices.below(5));
    }
    return perPartition || limit;
  }

  private String literal(String column) {
    return ReadTable.literal(choices, column);
  }

  private String literals(String column) {
    Set<String> all = new LinkedHashSet<>();
    for (int i = choices.below(3); i >= 0; i--) {
      all.add(literal(column));
    }
    return "(" + String.join(", ", all) + ")";
  }

  private void restrictPartitions() {
    int dice = choices.below(100);
    if (dice < 55) {
      ofPartition = true;
      partition = literal("p");
      where.add("p = " + partition);
      if (table.partitionKey.size() > 1) {
        where.add("q = " + literal("q"));
      }
    } else if (dice < 67) {
      where.add("p IN " + literals("p"));
      if (table.partitionKey.size() > 1) {
        where.add("q IN " + literals("q"));
      }
    } else {
      scans = true;
      if (dice < 78) {
        tokens();
      }
    }
  }

  private void tokens() {
    String token = "token(" + String.join(", ", table.partitionKey) + ")";
    where.add(token + (choices.percent(50) ? " > " : " >= ") + bound());
    if (choices.percent(50)) {
      where.add(token + (choices.percent(50) ? " < " : " <= ") + bound());
    }
  }

  private String bound() {
    return table.partitionKey.size() == 1 && choices.percent(70)
        ? "token(" + literal("p") + ")"
        : Long.toString(choices.nextLong());
  }

  private void restrictRows() {
    filters |= scans;
    switch (table.clustering.size()) {
      case 0 -> filters |= !where.isEmpty() && scans;
      case 1 -> where.add(choices.percent(50) ? comparison("c") : "c IN " + literals("c"));
      default -> restrictTwo();
    }
  }

  private void restrictTwo() {
    String pair = "(" + literal("c") + ", " + literal("d") + ")";
    switch (choices.below(8)) {
      case 0 -> where.add("c = " + literal("c"));
      case 1 -> {
        where.add("c = " + literal("c"));
        where.add(comparison("d"));
      }
      case 2 -> {
        where.add("c = " + literal("c"));
        where.add("d IN " + literals("d"));
      }
      case 3 -> where.add("c IN " + literals("c"));
      case 4 -> where.add("(c, d) " + (choices.percent(50) ? "> " : "<= ") + pair);
      case 5 -> {
        where.add("(c, d) >= " + pair);
        where.add("(c, d) < (" + literal("c") + ", " + literal("d") + ")");
      }
      case 6 -> where.add("(c, d) IN (" + pair + ", (" + literal("c") + ", " + literal("d") + "))");
      default -> where.add(comparison("c"));
    }
  }

  private String comparison(String column) {
    String operator = List.of(" = ", " > ", " >= ", " < ", " <= ").get(choices.below(5));
    return column + operator + literal(column);
  }

  /** Restricts a column that is not of the key, or a part of the key that an index finds. */
  private void filter() {
    List<String> columns = new ArrayList<>(List.of("v", "w", "m", "st", "fl", "fu", "v", "m"));
    columns.addAll(table.statics);
    if (scans) {
      columns.addAll(table.clustering);
      columns.add(table.partitionKey.getLast());
    }
    columns.removeIf(
        each -> List.of("st", "fl", "fu").contains(each) && !table.regulars.contains(each));
    String column = columns.get(choices.below(columns.size()));
    filters = true;
    usesIndex |= table.hasIndexOf(column);
    where.add(
        switch (column) {
          case "m", "sm" ->
              switch (choices.below(3)) {
                case 0 -> column + " CONTAINS KEY " + ReadTable.number(choices, 3);
                case 1 -> column + " CONTAINS " + ReadTable.any(choices);
                default ->
                    column + "[" + ReadTable.number(choices, 3) + "] = " + ReadTable.any(choices);
              };
          case "st" -> "st CONTAINS " + ReadTable.any(choices);
          case "v" -> choices.percent(70) ? "v = " + literal("v") : comparison("v");
          default -> column + " = " + literal(column);
        });
    if (choices.percent(15)) {
      where.add("v >= " + ReadTable.any(choices));
    }
  }

  /** A selection of few columns, of parts of them or of aggregates. */
  private String selection() {
    List<String> keys = new ArrayList<>(table.partitionKey);
    if (!table.statics.isEmpty() && choices.percent(20)) {
      String key = String.join(", ", keys);
      return choices.percent(60) ? "DISTINCT " + key + ", s" : key + ", s";
    }
    if (choices.percent(10)) {
      return "DISTINCT " + String.join(", ", keys);
    }
    keys.addAll(table.clustering);
    StringJoiner selection = new StringJoiner(", ");
    if (choices.percent(25)) {
      selection.add("count(*)").add("count(v)").add("sum(v)").add("max(w)");
      return selection.toString();
    }
    selectsRows = true;
    keys.forEach(selection::add);
    for (int i = choices.below(3); i >= 0; i--) {
      String column = table.regulars.get(choices.below(table.regulars.size()));
      selection.add(
          switch (column) {
            case "m" -> choices.percent(50) ? "m[" + ReadTable.number(choices, 3) + "]" : "m[1..2]";
            case "st" -> choices.percent(50) ? "st[" + ReadTable.any(choices) + "]" : "st";
            case "u" -> choices.percent(50) ? "u.a" : "u";
            case "v", "w" ->
                List.of(column, "writetime(" + column + ")", "ttl(" + column + ")")
                    .get(choices.below(3));
            default -> column;
          });
    }
    return selection.toString();
  }
}
