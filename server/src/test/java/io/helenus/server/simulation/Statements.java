package io.helenus.server.simulation;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Generates random statements together with their effects. */
final class Statements {
  static final int CLUSTERINGS = 5;

  /** So few that collisions are frequent. */
  private static final int TIMESTAMPS = 40;

  private static final long WINDOW_SECONDS = 5;
  private static final long OLD_SECONDS = 4L * Model.GC_GRACE_SECONDS;

  private int values;

  /** A modification of one partition of a table. */
  private record Modification(String cql, Model.Table table, Change change) {}

  /** A statement on one partition of one table. */
  Write single(SimRandomness choices, Model.Table table, long seconds) {
    Modification drawn = draw(choices, table, choices.below(Model.PARTITIONS), seconds);
    return write(drawn.cql, seconds, List.of(drawn));
  }

  /** A batch over several tables, on one partition key or on several. */
  Write batch(SimRandomness choices, List<Model.Table> tables, long seconds, boolean spanning) {
    StringBuilder cql = new StringBuilder("BEGIN BATCH ");
    int p = choices.below(Model.PARTITIONS);
    int count = 2 + choices.below(3);
    List<Modification> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Model.Table table = tables.get(choices.below(tables.size()));
      Modification drawn =
          draw(choices, table, spanning ? choices.below(Model.PARTITIONS) : p, seconds);
      cql.append(drawn.cql).append("; ");
      all.add(drawn);
    }
    return write(cql + "APPLY BATCH", seconds, all);
  }

  /** One mutation of many rows. */
  Write large(SimRandomness choices, Model.Table table, long seconds, int rows) {
    StringBuilder cql = new StringBuilder("BEGIN UNLOGGED BATCH ");
    int p = choices.below(Model.PARTITIONS);
    long timestamp = timestamp(choices, seconds);
    List<Modification> all = new ArrayList<>();
    for (int c = 0; c < rows; c++) {
      Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
      cells.put("v", value(choices));
      Change change = new Change.Cells(p, 100 + c, 0, true, cells, timestamp, 1, seconds);
      cql.append(insert(table.name, p, 100 + c, 0, cells, timestamp, 1)).append("; ");
      all.add(new Modification("", table, change));
    }
    return write(cql + "APPLY BATCH", seconds, all);
  }

  private static Write write(String cql, long seconds, List<Modification> drawn) {
    Write write = new Write(cql, seconds);
    drawn.forEach(each -> write.add(each.table.index, each.change));
    return write;
  }

  /** The newest timestamp of the current window. */
  static long newest(long seconds) {
    return seconds / WINDOW_SECONDS * WINDOW_SECONDS * 1_000_000 + TIMESTAMPS - 1;
  }

  /** Mostly in the current window; sometimes older than deletions that may be purged. */
  private static long timestamp(SimRandomness choices, long seconds) {
    long at = choices.percent(15) ? seconds - choices.below((int) OLD_SECONDS) : seconds;
    return at / WINDOW_SECONDS * WINDOW_SECONDS * 1_000_000 + choices.below(TIMESTAMPS);
  }

  private int value(SimRandomness choices) {
    return choices.below(2_000) << 20 | values++ & 0xFFFFF;
  }

  private Modification draw(SimRandomness choices, Model.Table table, int p, long seconds) {
    int c = choices.below(CLUSTERINGS);
    int d = choices.below(3);
    long timestamp = timestamp(choices, seconds);
    int ttl = choices.below(4) == 0 ? 1 + choices.below(15) : 0;
    String name = " sim." + table.name + " ";
    String using = " USING TIMESTAMP " + timestamp;
    return switch (choices.below(12)) {
      case 0 ->
          new Modification(
              "DELETE FROM" + name + using + " WHERE p = " + p,
              table,
              new Change.DeletePartition(p, timestamp, seconds));
      case 1 ->
          new Modification(
              "DELETE FROM" + name + using + " WHERE p = " + p + " AND c = " + c + " AND d = " + d,
              table,
              new Change.DeleteRow(p, c, d, timestamp, seconds));
      case 2, 3 -> deleteRange(choices, table, using, p, c, timestamp, seconds);
      case 4 -> {
        Integer value = choices.below(4) == 0 ? null : Integer.valueOf(value(choices));
        yield new Modification(
            "UPDATE" + name + using + ttl(ttl) + " SET s = " + value + " WHERE p = " + p,
            table,
            new Change.Static(p, value, timestamp, ttl, seconds));
      }
      default -> cells(choices, table, p, c, d, timestamp, ttl, seconds);
    };
  }

  private static String ttl(int ttl) {
    return ttl == 0 ? "" : " AND TTL " + ttl;
  }

  private static Modification deleteRange(
      SimRandomness choices,
      Model.Table table,
      String using,
      int p,
      int c,
      long timestamp,
      long seconds) {
    int high = c + choices.below(3);
    boolean lowInclusive = choices.percent(50);
    boolean highInclusive = choices.percent(50);
    String cql =
        String.format(
            "DELETE FROM sim.%s%s WHERE p = %d AND c %s %d AND c %s %d",
            table.name, using, p, lowInclusive ? ">=" : ">", c, highInclusive ? "<=" : "<", high);
    return new Modification(
        cql,
        table,
        new Change.DeleteRange(p, c, lowInclusive, high, highInclusive, timestamp, seconds));
  }

  private Modification cells(
      SimRandomness choices,
      Model.Table table,
      int p,
      int c,
      int d,
      long timestamp,
      int ttl,
      long seconds) {
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    boolean insert = choices.percent(50);
    for (String column : List.of("v", "w")) {
      if ((column.equals("v") || table.hasW) && choices.below(3) > 0) {
        cells.put(column, choices.below(5) == 0 ? null : Integer.valueOf(value(choices)));
      }
    }
    if (cells.isEmpty()) {
      cells.put("v", value(choices));
    }
    Change change = new Change.Cells(p, c, d, insert, cells, timestamp, ttl, seconds);
    if (insert) {
      return new Modification(insert(table.name, p, c, d, cells, timestamp, ttl), table, change);
    }
    StringBuilder sets = new StringBuilder();
    cells.forEach(
        (column, value) ->
            sets.append(sets.isEmpty() ? "" : ", ").append(column).append(" = ").append(value));
    return new Modification(
        String.format(
            "UPDATE sim.%s USING TIMESTAMP %d%s SET %s WHERE p = %d AND c = %d AND d = %d",
            table.name, timestamp, ttl(ttl), sets, p, c, d),
        table,
        change);
  }

  private static String insert(
      String table,
      int p,
      int c,
      int d,
      Map<String, @Nullable Integer> cells,
      long timestamp,
      int ttl) {
    StringBuilder columns = new StringBuilder();
    StringBuilder terms = new StringBuilder();
    cells.forEach(
        (column, value) -> {
          columns.append(", ").append(column);
          terms.append(", ").append(value);
        });
    return String.format(
        "INSERT INTO sim.%s (p, c, d%s) VALUES (%d, %d, %d%s) USING TIMESTAMP %d%s",
        table, columns, p, c, d, terms, timestamp, ttl(ttl));
  }
}
