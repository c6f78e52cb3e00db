package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Draws writes of all kinds with timestamps of their own, which are neither ascending nor unique:
 * what a table has follows from the set of writes, whatever their order and their way were.
 */
final class DivergingWrites {
  /** How many timestamps a write may have. */
  static final int TIMESTAMPS = 40;

  /**
   * A write.
   *
   * @param partitions the values of p that it is about
   * @param lists whether it adds elements to lists, whose order the coordinator's clock decides
   */
  record Drawn(String cql, Set<Integer> partitions, boolean lists) {}

  private final SimRandomness choices;
  private final ReadTable table;
  private final long firstTimestamp;
  private final Set<Integer> partitions = new TreeSet<>();
  private boolean lists;

  private DivergingWrites(SimRandomness choices, ReadTable table, long firstTimestamp) {
    this.choices = choices;
    this.table = table;
    this.firstTimestamp = firstTimestamp;
  }

  /**
   * Draws a write.
   *
   * @param firstTimestamp the smallest one that it may have
   */
  static Drawn draw(SimRandomness choices, ReadTable table, long firstTimestamp) {
    DivergingWrites writes = new DivergingWrites(choices, table, firstTimestamp);
    String cql = choices.percent(10) ? writes.batch() : writes.statement();
    return new Drawn(cql, writes.partitions, writes.lists);
  }

  private String batch() {
    StringJoiner all = new StringJoiner("; ", "BEGIN UNLOGGED BATCH ", "; APPLY BATCH");
    for (int i = 1 + choices.below(3); i >= 0; i--) {
      all.add(statement());
    }
    return all.toString();
  }

  private String statement() {
    int dice = choices.below(100);
    if (dice < 30) {
      return insert();
    }
    if (dice < 65) {
      return update();
    }
    if (dice < 75) {
      return table.statics.isEmpty() ? update() : updateStatic();
    }
    if (dice < 83) {
      return delete(where(table.clustering.size()));
    }
    if (dice < 89) {
      return table.clustering.isEmpty() ? insert() : delete(range());
    }
    return dice < 91 ? delete(where(0)) : deleteCells();
  }

  private String using(boolean expires) {
    return " USING TIMESTAMP "
        + (firstTimestamp + choices.below(TIMESTAMPS))
        + (expires && choices.percent(15) ? " AND TTL " + (1 + choices.below(40)) : "");
  }

  private String equal(String column) {
    String value = ReadTable.literal(choices, column);
    if (column.equals("p")) {
      partitions.add(Integer.valueOf(value));
    }
    return column + " = " + value;
  }

  /** The partition key and as many clustering columns. */
  private String where(int columns) {
    StringJoiner all = new StringJoiner(" AND ", " WHERE ", "");
    table.partitionKey.forEach(each -> all.add(equal(each)));
    table.clustering.subList(0, columns).forEach(each -> all.add(equal(each)));
    return all.toString();
  }

  private String range() {
    String key = where(0);
    if (table.clustering.size() == 2) {
      switch (choices.below(4)) {
        case 0 -> {
          return key + " AND " + equal("c");
        }
        case 1 -> {
          return key + " AND " + equal("c") + bounds("d");
        }
        case 2 -> {
          String from = ReadTable.any(choices) + ", " + ReadTable.number(choices, 3);
          return key + " AND (c, d) " + (choices.percent(50) ? ">=" : "<") + " (" + from + ")";
        }
        default -> {}
      }
    }
    return key + bounds("c");
  }

  private String bounds(String column) {
    int low = choices.below(4);
    String lower = " AND " + column + (choices.percent(50) ? " >= " : " > ") + low;
    String upper = " AND " + column + (choices.percent(50) ? " <= " : " < ") + (low + 1);
    return switch (choices.below(4)) {
      case 0 -> lower;
      case 1 -> upper;
      default -> lower + upper;
    };
  }

  private String value(String column) {
    lists |= column.equals("l");
    return choices.percent(8) ? "null" : ReadTable.literal(choices, column);
  }

  private String insert() {
    List<String> columns = new ArrayList<>(table.partitionKey);
    columns.addAll(table.clustering);
    int keys = columns.size();
    columns.addAll(some(table.regulars));
    if (choices.percent(20)) {
      columns.addAll(some(table.statics));
    }
    StringJoiner values = new StringJoiner(", ");
    for (int i = 0; i < columns.size(); i++) {
      String value = i < keys ? ReadTable.literal(choices, columns.get(i)) : value(columns.get(i));
      if (i == 0) {
        partitions.add(Integer.valueOf(value));
      }
      values.add(value);
    }
    return "INSERT INTO %s (%s) VALUES (%s)%s"
        .formatted(table.cql(), String.join(", ", columns), values, using(true));
  }

  private List<String> some(List<String> columns) {
    int percent = 15 + choices.below(50);
    return columns.stream().filter(each -> choices.percent(percent)).toList();
  }

  private String update() {
    return "UPDATE "
        + table.cql()
        + using(true)
        + sets(table.regulars)
        + where(table.clustering.size());
  }

  private String updateStatic() {
    return "UPDATE " + table.cql() + using(true) + sets(table.statics) + where(0);
  }

  private String sets(List<String> columns) {
    List<String> chosen = some(columns);
    if (chosen.isEmpty()) {
      chosen = List.of(columns.get(choices.below(columns.size())));
    }
    StringJoiner all = new StringJoiner(", ", " SET ", "");
    chosen.forEach(each -> all.add(assignment(each)));
    return all.toString();
  }

  private String assignment(String column) {
    if (choices.percent(30)) {
      return column + " = " + value(column);
    }
    String added = ReadTable.literal(choices, column);
    return switch (column) {
      case "m", "sm" ->
          switch (choices.below(3)) {
            case 0 -> column + "[" + ReadTable.number(choices, 3) + "] = " + value("v");
            case 1 -> column + " = " + column + " - {" + ReadTable.number(choices, 3) + "}";
            default -> column + " = " + column + " + " + added;
          };
      case "st" -> column + " = " + column + (choices.percent(50) ? " + " : " - ") + added;
      case "l" -> {
        lists = true;
        yield choices.percent(50) ? "l = l + " + added : "l = " + added + " + l";
      }
      case "u" -> choices.percent(50) ? "u.a = " + value("v") : "u.b = " + value("w");
      default -> column + " = " + value(column);
    };
  }

  private String delete(String where) {
    return "DELETE FROM " + table.cql() + using(false) + where;
  }

  private String deleteCells() {
    boolean ofStatics = !table.statics.isEmpty() && choices.percent(20);
    List<String> columns = ofStatics ? table.statics : table.regulars;
    String column = columns.get(choices.below(columns.size()));
    String part =
        switch (column) {
          case "m", "sm" ->
              choices.percent(60) ? column + "[" + ReadTable.number(choices, 3) + "]" : column;
          case "u" -> choices.percent(60) ? "u.a" : column;
          default -> column;
        };
    return "DELETE "
        + part
        + " FROM "
        + table.cql()
        + using(false)
        + where(ofStatics ? 0 : table.clustering.size());
  }
}
