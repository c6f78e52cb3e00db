package io.helenus.server.simulation;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Generates random statements together with their effects. */
public final class Statements {
  /** The number of values of c that most statements use. */
  public static final int CLUSTERINGS = 5;

  /** The keys of maps that most statements use; those of large maps follow. */
  static final int MAP_KEYS = 4;

  /** So few that collisions are frequent. */
  private static final int TIMESTAMPS = 40;

  private static final long WINDOW_SECONDS = 5;
  private static final int LARGE_TTL = 8;
  private static final long OLD_SECONDS = 4L * Model.GC_GRACE_SECONDS;

  private int values;

  /** A modification of one partition of a table. */
  private record Modification(String cql, Model.Table table, List<Change> changes) {
    Modification(String cql, Model.Table table, Change change) {
      this(cql, table, List.of(change));
    }
  }

  /** A statement on one partition of one table. */
  public Write single(SimRandomness choices, Model.Table table, long seconds) {
    Modification drawn = draw(choices, table, choices.below(Model.PARTITIONS), seconds);
    return write(drawn.cql, seconds, List.of(drawn));
  }

  /** A statement on a given partition of one table. */
  public Write on(SimRandomness choices, Model.Table table, int p, long seconds) {
    Modification drawn = draw(choices, table, p, seconds);
    return write(drawn.cql, seconds, List.of(drawn));
  }

  /** A statement on the same row as an earlier one, which is mostly newer. */
  public Write overwrite(
      SimRandomness choices, Model.Table table, Change.Cells earlier, long seconds) {
    long timestamp = Math.max(timestamp(choices, seconds), newest(seconds) - 1);
    Modification drawn =
        cells(choices, table, earlier.p(), earlier.c(), earlier.d(), timestamp, 0, seconds);
    return write(drawn.cql, seconds, List.of(drawn));
  }

  /** Mostly a deletion in a given partition of one table. */
  public Write deletion(SimRandomness choices, Model.Table table, int p, long seconds) {
    Write drawn = on(choices, table, p, seconds);
    for (int i = 0; i < 10 && !drawn.cql.startsWith("DELETE"); i++) {
      drawn = on(choices, table, p, seconds);
    }
    return drawn;
  }

  /** A batch over several tables, on one partition key or on several. */
  public Write batch(
      SimRandomness choices, List<Model.Table> tables, long seconds, boolean spanning) {
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
      Map<String, String> terms = Map.of("v", String.valueOf(cells.get("v")));
      cql.append(insert(table.name, p, 100 + c, 0, terms, timestamp, 1)).append("; ");
      all.add(new Modification("", table, change));
    }
    return write(cql + "APPLY BATCH", seconds, all);
  }

  /** Adds many elements to a map, so that a few of these fill a block of a file. */
  Write largeMap(SimRandomness choices, Model.Table table, long seconds, int elements) {
    int p = choices.below(Model.PARTITIONS);
    int c = choices.below(CLUSTERINGS);
    long timestamp = timestamp(choices, seconds);
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    int first = MAP_KEYS + choices.below(4) * elements / 2;
    for (int key = first; key < first + elements; key++) {
      cells.put(Change.element("m", key), elementValue(choices, table, key));
    }
    Change change = new Change.Cells(p, c, 0, false, cells, timestamp, LARGE_TTL, seconds);
    String cql =
        String.format(
            "UPDATE sim.%s USING TIMESTAMP %d%s SET m = m + %s WHERE p = %d AND c = %d AND d = 0",
            table.name, timestamp, ttl(LARGE_TTL), literal(table, cells), p, c);
    return write(cql, seconds, List.of(new Modification(cql, table, change)));
  }

  private static Write write(String cql, long seconds, List<Modification> drawn) {
    Write write = new Write(cql, seconds);
    for (Modification each : drawn) {
      each.changes.forEach(change -> write.add(each.table.index, change));
    }
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

  private int elementValue(SimRandomness choices, Model.Table table, int key) {
    return table.sets ? key : value(choices);
  }

  private Modification draw(SimRandomness choices, Model.Table table, int p, long seconds) {
    int c = choices.below(CLUSTERINGS);
    int d = choices.below(3);
    long timestamp = timestamp(choices, seconds);
    int ttl = choices.below(4) == 0 ? 1 + choices.below(15) : 0;
    String name = " sim." + table.name + " ";
    String using = " USING TIMESTAMP " + timestamp;
    return switch (choices.below(14)) {
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
      case 4 -> statics(choices, table, p, timestamp, ttl, seconds);
      case 5 -> deleteElements(choices, table, p, c, d, timestamp, seconds);
      default -> cells(choices, table, p, c, d, timestamp, ttl, seconds);
    };
  }

  private Modification statics(
      SimRandomness choices, Model.Table table, int p, long timestamp, int ttl, long seconds) {
    List<Change> changes = new ArrayList<>();
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    String sets = "";
    if (choices.percent(50)) {
      cells.put("s", choices.below(4) == 0 ? null : Integer.valueOf(value(choices)));
      sets = "s = " + cells.get("s");
    }
    if (sets.isEmpty() || choices.percent(50)) {
      MapChange map = mapChange(choices, table, "sm");
      sets += (sets.isEmpty() ? "" : ", ") + map.set;
      cells.putAll(map.cells);
      if (map.overwrites) {
        changes.add(new Change.DeleteStaticMap(p, timestamp - 1, seconds));
      }
    }
    changes.add(new Change.Static(p, cells, timestamp, ttl, seconds));
    String cql =
        String.format(
            "UPDATE sim.%s USING TIMESTAMP %d%s SET %s WHERE p = %d",
            table.name, timestamp, ttl(ttl), sets, p);
    return new Modification(cql, table, changes);
  }

  /** Deletes a map, or elements of it. */
  private static Modification deleteElements(
      SimRandomness choices, Model.Table table, int p, int c, int d, long timestamp, long seconds) {
    boolean isStatic = choices.percent(30);
    String column = isStatic ? "sm" : "m";
    String where = " WHERE p = " + p + (isStatic ? "" : " AND c = " + c + " AND d = " + d);
    String what;
    Change change;
    if (choices.percent(50)) {
      what = column;
      change =
          isStatic
              ? new Change.DeleteStaticMap(p, timestamp, seconds)
              : new Change.DeleteMap(p, c, d, timestamp, seconds);
    } else {
      what = Change.element(column, choices.below(MAP_KEYS));
      Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
      cells.put(what, null);
      change =
          isStatic
              ? new Change.Static(p, cells, timestamp, 0, seconds)
              : new Change.Cells(p, c, d, false, cells, timestamp, 0, seconds);
    }
    return new Modification(
        "DELETE " + what + " FROM sim." + table.name + " USING TIMESTAMP " + timestamp + where,
        table,
        change);
  }

  /**
   * An assignment to a map.
   *
   * @param literal the new map, if it is overwritten with one
   */
  private record MapChange(
      String set, boolean overwrites, String literal, Map<String, @Nullable Integer> cells) {}

  private MapChange mapChange(SimRandomness choices, Model.Table table, String column) {
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    switch (choices.below(4)) {
      case 0 -> {
        return overwrite(choices, table, column);
      }
      case 1 -> {
        return add(choices, table, column);
      }
      case 2 -> {
        if (table.sets) {
          return add(choices, table, column);
        }
        String element = Change.element(column, choices.below(MAP_KEYS));
        cells.put(element, choices.below(4) == 0 ? null : Integer.valueOf(value(choices)));
        return new MapChange(element + " = " + cells.get(element), false, "", cells);
      }
      default -> {
        int key = choices.below(MAP_KEYS);
        int other = choices.below(MAP_KEYS);
        cells.put(Change.element(column, key), null);
        cells.put(Change.element(column, other), null);
        String keys = key == other ? "{" + key + "}" : "{" + key + ", " + other + "}";
        return new MapChange(column + " = " + column + " - " + keys, false, "", cells);
      }
    }
  }

  private MapChange add(SimRandomness choices, Model.Table table, String column) {
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    putElements(choices, table, column, cells);
    String set = column + " = " + column + " + " + literal(table, cells);
    return new MapChange(set, false, "", cells);
  }

  private MapChange overwrite(SimRandomness choices, Model.Table table, String column) {
    Map<String, @Nullable Integer> cells = new LinkedHashMap<>();
    if (choices.below(4) > 0) {
      putElements(choices, table, column, cells);
    }
    String literal = literal(table, cells);
    return new MapChange(column + " = " + literal, true, literal, cells);
  }

  private void putElements(
      SimRandomness choices,
      Model.Table table,
      String column,
      Map<String, @Nullable Integer> cells) {
    for (int key = choices.below(MAP_KEYS); key < MAP_KEYS; key += 1 + choices.below(3)) {
      cells.put(Change.element(column, key), elementValue(choices, table, key));
    }
  }

  /** The elements of one map or set as a literal. */
  private static String literal(Model.Table table, Map<String, @Nullable Integer> elements) {
    StringBuilder text = new StringBuilder("{");
    elements.forEach(
        (name, value) -> {
          String key = name.substring(name.indexOf('[') + 1, name.length() - 1);
          text.append(text.length() == 1 ? "" : ", ").append(key);
          text.append(table.sets ? "" : ": " + value);
        });
    return text.append('}').toString();
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
    MapChange map = null;
    if (choices.percent(40)) {
      map = insert ? overwrite(choices, table, "m") : mapChange(choices, table, "m");
    } else if (cells.isEmpty()) {
      cells.put("v", value(choices));
    }
    Map<String, String> terms = new LinkedHashMap<>();
    cells.forEach((column, value) -> terms.put(column, String.valueOf(value)));
    List<Change> changes = new ArrayList<>();
    if (map != null) {
      cells.putAll(map.cells);
      if (map.overwrites) {
        changes.add(new Change.DeleteMap(p, c, d, timestamp - 1, seconds));
      }
    }
    changes.add(new Change.Cells(p, c, d, insert, cells, timestamp, ttl, seconds));
    if (insert) {
      if (map != null) {
        terms.put("m", map.literal);
      }
      return new Modification(insert(table.name, p, c, d, terms, timestamp, ttl), table, changes);
    }
    StringJoiner sets = new StringJoiner(", ");
    terms.forEach((column, term) -> sets.add(column + " = " + term));
    if (map != null) {
      sets.add(map.set);
    }
    return new Modification(
        String.format(
            "UPDATE sim.%s USING TIMESTAMP %d%s SET %s WHERE p = %d AND c = %d AND d = %d",
            table.name, timestamp, ttl(ttl), sets, p, c, d),
        table,
        changes);
  }

  private static String insert(
      String table, int p, int c, int d, Map<String, String> values, long timestamp, int ttl) {
    StringBuilder columns = new StringBuilder();
    StringBuilder terms = new StringBuilder();
    values.forEach(
        (column, term) -> {
          columns.append(", ").append(column);
          terms.append(", ").append(term);
        });
    return String.format(
        "INSERT INTO sim.%s (p, c, d%s) VALUES (%d, %d, %d%s) USING TIMESTAMP %d%s",
        table, columns, p, c, d, terms, timestamp, ttl(ttl));
  }
}
