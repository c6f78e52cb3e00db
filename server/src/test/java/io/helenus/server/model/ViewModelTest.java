package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.nodetool.NodeTool;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random writes and deletions of every shape to a table with views of every shape, which come and
 * go, with TTLs, also expired ones, colliding timestamps, conditions, batches, flushes, compactions
 * and restarts: after each few of them every view shows what its definition selects from the table,
 * write times and TTLs included. {@code -Dmodel.seeds=100} and {@code -Dmodel.steps=1000} for a
 * long run of more than 500,000 writes.
 */
class ViewModelTest {
  private static final int SEEDS = Integer.getInteger("model.seeds", 2);
  private static final int STEPS = Integer.getInteger("model.steps", 100);

  /** Before the clock of the node, so that what is written then with a TTL has expired. */
  private static final int LONG_AGO = 1_600_000_000;

  /** Timestamps of writes are so little behind the largest one. */
  private static final int MOST_BACK = 6;

  private static final long BUILD_MILLIS = 60_000;
  private static final String KEY = "p, c1, c2";
  private static final long LEAST_WRITES_OF_A_STEP = 5;

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("v, s, w, i, m", "c1, p, c2", "", ""),
          new Shape("w, x", "p, c2, c1", "", ""),
          new Shape("i, m", "(c1, c2), p", "", ""),
          new Shape("v", "p, c1, c2", "c1 > 1", ""),
          new Shape("", "c2, c1, p", "p IN (0, 3)", "c1 DESC, p ASC"),
          new Shape("s", "(p, c1, c2)", "", ""),
          new Shape("v, s, w, i, m", "v, p, c1, c2", "", ""),
          new Shape("v, s", "p, v, c1, c2", "", ""),
          new Shape("v, m", "(v, p), c1, c2", "c1 >= 1 AND c1 < 3", ""),
          new Shape("v, i, m", "c1, v, p, c2", "", "v DESC, p ASC, c2 DESC"),
          new Shape("s, w", "s, c1, p, c2", "", ""),
          new Shape("v, m", "(p, c1, c2), v", "c2 = '1'", ""),
          new Shape("v, w", "(p, c1, c2, v)", "", ""),
          new Shape("d, w", "d, p, c1, c2", "", ""),
          new Shape("d, s", "p, d, c1, c2", "", ""),
          new Shape("x, w", "x, p, c1, c2", "", ""),
          new Shape("x, s, m", "(p, c2), x, c1", "", "x DESC, c1 ASC"),
          new Shape("w, s, i", "(w, c2), c1, p", "", ""),
          new Shape("s, d", "(s, c2), p, c1", "", "p DESC, c1 ASC"),
          new Shape("i, w", "c2, p, c1", "c1 < 3 AND c2 > '0'", ""));

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  private long rows;
  private long writes;

  /** A view: the columns outside the base table's key, its key, more conditions, and its order. */
  private record Shape(String columns, String key, String where, String order) {
    boolean isInKey(String column) {
      return List.of(key.replaceAll("[() ]", "").split(",")).contains(column);
    }

    /** The regular column in the key; empty without one. */
    String own() {
      for (String column : List.of("v", "s", "d", "x", "w")) {
        if (isInKey(column)) {
          return column;
        }
      }
      return "";
    }

    List<String> selected() {
      List<String> selected = new ArrayList<>(List.of("p", "c1", "c2"));
      if (!columns.isEmpty()) {
        selected.addAll(List.of(columns.split(", ")));
      }
      return selected;
    }

    /** What is compared; the column in the key first. */
    String read() {
      List<String> read = new ArrayList<>();
      if (!own().isEmpty()) {
        read.add(own());
      }
      for (String column : selected()) {
        if (column.equals(own())) {
          continue;
        }
        read.add(column);
        if (!KEY.contains(column)) {
          read.add("writetime(" + column + ")");
          read.add("ttl(" + column + ")");
        }
      }
      return String.join(", ", read);
    }
  }

  @Test
  void everyViewShowsWhatItsDefinitionSelects() throws Exception {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2, Map.of("materialized_views_enabled", "true", "admin_port", "0"));
      long ignored =
          seeds.each(
              SEEDS,
              seed -> {
                Run run = new Run(node, folder, seed);
                rows += run.run();
                writes += run.written;
              });
    }
    assertTrue(rows > 0, "no view had any row");
    assertTrue(writes >= LEAST_WRITES_OF_A_STEP * STEPS, "only " + writes + " writes");
  }

  /** One seed. */
  private static final class Run {
    private final ModelSession session;
    private final Random random;
    private final Path folder;
    private final String base;
    private final TreeSet<Integer> views = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
    private long timestamp = 1000;
    private long written;

    Run(NodeUnderTest node, Path folder, long seed) throws IOException {
      random = new Random(seed);
      this.folder = folder;
      session = new ModelSession(node, random);
      base = "model.base" + Long.toUnsignedString(seed);
    }

    private String view(int index) {
      return base + "_" + index;
    }

    /** Returns the number of rows that views have shown. */
    int run() throws IOException {
      session.send(
          "CREATE TABLE "
              + base
              + " (p int, c1 int, c2 text, v int, s text, w int, d decimal, x double, i set<int>, m"
              + " map<int, int>, st int static, PRIMARY KEY (p, c1, c2)) WITH CLUSTERING ORDER BY"
              + " (c1 DESC, c2 ASC) AND "
              + session.compaction());
      for (int i = 0; i < SHAPES.size(); i++) {
        if (random.nextBoolean()) {
          create(i, SHAPES.get(i));
        }
      }
      int found = 0;
      for (int step = 0; step < STEPS; step++) {
        long ignored = session.pass(random.nextInt(4));
        timestamp += random.nextInt(3);
        session.disturb();
        if (random.nextInt(10) == 0) {
          createOrDrop(random.nextInt(SHAPES.size()));
        }
        // mostly so few that one of them must be the cause of a difference
        int most = random.nextInt(5) == 0 ? 40 : 4;
        for (int i = random.nextInt(most); i >= 0; i--) {
          write();
        }
        for (int i : views) {
          found += compare(i, SHAPES.get(i));
        }
      }
      for (int i : views) {
        verify(view(i));
      }
      for (int i : views) {
        session.send("DROP MATERIALIZED VIEW " + view(i));
      }
      session.send("DROP TABLE " + base);
      session.close();
      return found;
    }

    /** {@code nodetool verifyview} finds nothing either. */
    private void verify(String view) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
      String[] words =
          ("--data " + folder + " verifyview " + view.replace('.', ' ')).split(" ", -1);
      int code = NodeTool.run(words, print, print);
      String text = out.toString(StandardCharsets.UTF_8);
      assertEquals(0, code, () -> text + "after\n" + String.join("\n", log));
    }

    private void createOrDrop(int index) {
      log.add("create or drop " + index);
      if (views.remove(index)) {
        session.send("DROP MATERIALIZED VIEW " + view(index));
        return;
      }
      create(index, SHAPES.get(index));
      // while it is being built
      write();
      String name = view(index).substring("model.".length());
      String built =
          "SELECT view_name FROM system.built_views WHERE keyspace_name = 'model' AND view_name = '"
              + name
              + "'";
      long deadline = System.currentTimeMillis() + BUILD_MILLIS;
      while (session.poll(built, List.of(ScalarType.TEXT)).isEmpty()) {
        assertTrue(System.currentTimeMillis() < deadline, name + " is not built");
      }
    }

    private void create(int index, Shape shape) {
      views.add(index);
      List<String> conditions = new ArrayList<>();
      List<String> key = new ArrayList<>(List.of("p", "c1", "c2"));
      if (!shape.own().isEmpty()) {
        key.add(shape.own());
      }
      for (String column : key) {
        if (!shape.where.matches(".*\\b" + column + "\\b.*")) {
          conditions.add(column + " IS NOT NULL");
        }
      }
      if (!shape.where.isEmpty()) {
        conditions.add(shape.where);
      }
      session.send(
          "CREATE MATERIALIZED VIEW "
              + view(index)
              + " AS SELECT "
              + String.join(", ", shape.selected())
              + " FROM "
              + base
              + " WHERE "
              + String.join(" AND ", conditions)
              + " PRIMARY KEY ("
              + shape.key
              + ")"
              + (shape.order.isEmpty() ? "" : " WITH CLUSTERING ORDER BY (" + shape.order + ")"));
    }

    private int compare(int index, Shape shape) {
      String read = "SELECT " + shape.read() + " FROM ";
      List<CqlType> types = Collections.nCopies(read.split(", ").length, ScalarType.BLOB);
      String where = shape.where.isEmpty() ? "" : " WHERE " + shape.where + " ALLOW FILTERING";
      List<String> expected = lines(session.read(read + base + where, types));
      if (shape.own().isEmpty()) {
        // a partition with static columns only
        expected.removeIf(line -> line.matches("\\w+ \\| null \\| .*"));
      } else {
        expected.removeIf(line -> line.startsWith("null "));
      }
      List<String> actual = lines(session.read(read + view(index), types));
      Collections.sort(expected);
      Collections.sort(actual);
      List<String> missing = new ArrayList<>(expected);
      missing.removeAll(actual);
      List<String> wrong = new ArrayList<>(actual);
      wrong.removeAll(expected);
      assertEquals(
          String.join("\n", missing),
          String.join("\n", wrong),
          () ->
              shape
                  + " after\n"
                  + String.join("\n", log.subList(Math.max(0, log.size() - 40), log.size())));
      assertEquals(expected.size(), actual.size());
      if (!actual.isEmpty()) {
        compareRow(read + view(index), types, shape, actual.get(random.nextInt(actual.size())));
      }
      return actual.size();
    }

    private static List<String> lines(String text) {
      return text.isEmpty() ? new ArrayList<>() : new ArrayList<>(text.lines().toList());
    }

    /** A row is found by its whole key, and by its partition in the opposite order. */
    private void compareRow(String read, List<CqlType> types, Shape shape, String line) {
      List<String> values = List.of(line.split(" \\| "));
      List<String> columns = List.of(shape.read().split(", "));
      List<String> conditions = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        if (shape.isInKey(columns.get(i))) {
          String type =
              switch (columns.get(i)) {
                case "c2", "s" -> "text";
                case "d" -> "decimal";
                case "x" -> "double";
                default -> "int";
              };
          conditions.add(columns.get(i) + " = blob_as_" + type + "(" + values.get(i) + ")");
        }
      }
      String where = " WHERE " + String.join(" AND ", conditions);
      assertEquals(line, session.read(read + where, types), () -> shape + where);
    }

    private int small() {
      return random.nextInt(4);
    }

    private String row(int p) {
      return " WHERE p = " + p + " AND c1 = " + small() + " AND c2 = '" + random.nextInt(3) + "'";
    }

    private void write() {
      int kind = random.nextInt(12);
      if (kind == 0) {
        StringBuilder batch = new StringBuilder("BEGIN ");
        batch.append(random.nextBoolean() ? "UNLOGGED BATCH " : "BATCH ");
        int p = random.nextInt(3);
        for (int i = random.nextInt(4); i >= 0; i--) {
          batch.append(plain(random.nextBoolean() ? p : random.nextInt(3))).append("; ");
        }
        send(batch.append("APPLY BATCH").toString());
      } else if (kind == 1) {
        // with the timestamps of the server, in a partition of their own
        String condition =
            random.nextBoolean()
                ? " IF EXISTS"
                : " IF v " + (random.nextBoolean() ? "=" : "!=") + " " + small();
        send(
            random.nextInt(4) == 0
                ? "DELETE FROM " + base + row(3) + condition
                : "UPDATE " + base + " SET " + assignments() + row(3) + condition);
      } else if (kind == 2) {
        send(
            "INSERT INTO "
                + base
                + " (p, c1, c2, v, w) VALUES (3, "
                + small()
                + ", '"
                + small()
                + "', "
                + value()
                + ", "
                + small()
                + ")"
                + (random.nextBoolean() ? " IF NOT EXISTS" : ""));
      } else {
        String text = plain(random.nextInt(3));
        boolean past = text.contains("TTL") && random.nextInt(4) == 0;
        send(text, past && random.nextBoolean(), past);
      }
    }

    private void send(String text) {
      send(text, false, false);
    }

    /**
     * Sends a write, perhaps one whose cells have expired, within the grace period or so long ago
     * that a compaction may purge them. What was purged from the table may still hide cells of its
     * view (docs/views.md), so that all later writes are newer.
     */
    private void send(String text, boolean longAgo, boolean past) {
      log.add((longAgo ? "long ago: " : past ? "an hour ago: " : "") + text);
      written++;
      if (longAgo) {
        session.sendAt(text, LONG_AGO);
        timestamp += MOST_BACK;
      } else if (past) {
        session.sendAt(text, Math.toIntExact(session.pass(0) - 3600));
      } else {
        session.send(text);
      }
    }

    private String plain(int p) {
      String at = " USING TIMESTAMP " + (timestamp - random.nextInt(MOST_BACK));
      int kind = random.nextInt(40);
      if (kind == 0) {
        return "DELETE FROM " + base + at + " WHERE p = " + p;
      }
      if (kind < 3) {
        return "DELETE FROM " + base + at + " WHERE p = " + p + " AND c1 >= " + small();
      }
      if (kind == 3) {
        return "DELETE FROM " + base + at + " WHERE p = " + p + " AND c1 = 1 AND c2 < '2'";
      }
      if (kind < 7) {
        return "DELETE FROM " + base + at + row(p);
      }
      if (kind < 12) {
        List<String> parts = List.of("v", "s", "i", "m", "m[2]", "i[1]", "v, m[0]", "w", "d", "x");
        return "DELETE " + parts.get(random.nextInt(parts.size())) + " FROM " + base + at + row(p);
      }
      String using = at + (random.nextInt(3) == 0 ? " AND TTL " + (1 + random.nextInt(30)) : "");
      if (kind == 12) {
        return "UPDATE " + base + using + " SET st = " + small() + " WHERE p = " + p;
      }
      if (kind < 27) {
        return "UPDATE " + base + using + " SET " + assignments() + row(p);
      }
      return "INSERT INTO "
          + base
          + " (p, c1, c2, v, s, d, x, i, m) VALUES ("
          + p
          + ", "
          + small()
          + ", '"
          + random.nextInt(3)
          + "', "
          + value()
          + ", 's"
          + small()
          + "', "
          + decimal()
          + ", "
          + floating()
          + ", {"
          + small()
          + ", "
          + small()
          + "}, "
          + map()
          + ")"
          + using;
    }

    private String value() {
      return random.nextInt(8) == 0 ? "null" : Integer.toString(small());
    }

    /** Values that are equal but not the same. */
    private String decimal() {
      return List.of("1", "1.0", "1.00", "2", "null").get(random.nextInt(5));
    }

    /** Values that sort where their bits do not, and zeros that differ. */
    private String floating() {
      return List.of("1.5", "-1.5", "0.0", "-0.0", "NaN", "null").get(random.nextInt(6));
    }

    private String map() {
      return "{" + small() + ": " + small() + ", 9: " + small() + "}";
    }

    private String assignments() {
      List<String> all = new ArrayList<>();
      if (random.nextBoolean()) {
        all.add("v = " + value());
      }
      if (random.nextInt(3) == 0) {
        all.add("s = " + (random.nextInt(6) == 0 ? "null" : "'s" + small() + "'"));
      }
      if (random.nextInt(3) == 0) {
        all.add("d = " + decimal());
      }
      if (random.nextInt(3) == 0) {
        all.add("x = " + floating());
      }
      if (random.nextBoolean()) {
        all.add("w = " + value());
      }
      switch (random.nextInt(8)) {
        case 0 -> all.add("i = i + {" + small() + "}");
        case 1 -> all.add("i = i - {" + small() + "}");
        case 2 -> all.add("i = {" + small() + "}");
        case 3 -> all.add("i = null");
        case 4 -> all.add("m[" + small() + "] = " + small());
        case 5 -> all.add("m = m + " + map());
        case 6 -> all.add("m = m - {" + small() + "}");
        default -> all.add("m = " + map());
      }
      return String.join(", ", all);
    }
  }
}
