package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.job.FileRegistry;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Random writes and deletions of every shape, with TTLs and colliding timestamps, flushes,
 * compactions and restarts, to two tables, of which one has indexes that come and go: every query
 * of it, by pages, is answered as the other table's is, which is filtered. A step is a write and
 * three queries: {@code -Dmodel.seeds=25 -Dmodel.steps=10000} are a million operations.
 */
class IndexModelTest {
  private static final int SEEDS = Integer.getInteger("model.seeds", 2);
  private static final int STEPS = Integer.getInteger("model.steps", 300);
  private static final int QUERIES = 3;
  private static final long BUILD_MILLIS = 60_000;
  private static final String COLUMNS =
      "p1, p2, c, d, v, writetime(v), s, i, m, st, token(p1, p2), ttl(s)";
  private static final List<CqlType> TYPES = Collections.nCopies(12, ScalarType.BLOB);

  /**
   * What can be indexed. Legacy indexes find one value of it, storage-attached ones also ranges.
   */
  private static final List<String> TARGETS =
      List.of("v", "s", "i", "keys(m)", "values(m)", "entries(m)", "st", "c", "d", "p2");

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  private int rows;

  @Test
  void everyQueryIsAnsweredAsWithoutIndexes() throws Exception {
    ListAppender<ILoggingEvent> reported = new ListAppender<>();
    Logger registry = (Logger) LoggerFactory.getLogger(FileRegistry.class);
    reported.start();
    registry.addAppender(reported);
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      long ignored = seeds.each(SEEDS, seed -> rows += new Run(node, seed).run());
    } finally {
      registry.detachAppender(reported);
    }
    assertTrue(rows > 0, "no query found any row");
    assertEquals(List.of(), reported.list, "each file is deleted once, when nothing reads it");
  }

  @Test
  void rowsWhoseKeyHasAnAlteredTypeAreFound() throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      ModelSession session = new ModelSession(node, new Random(1));
      session.send("CREATE TYPE model.k (a int)");
      session.send("CREATE TABLE model.keyed (p int, c frozen<k>, v int, PRIMARY KEY (p, c))");
      session.send("CREATE INDEX ON model.keyed (v) USING 'sai'");
      session.send("INSERT INTO model.keyed (p, c, v) VALUES (1, {a: 1}, 5)");
      session.send("ALTER TYPE model.k ADD b int");
      session.send("INSERT INTO model.keyed (p, c, v) VALUES (2, {a: 1, b: 2}, 5)");
      String select = "SELECT p FROM model.keyed WHERE v = 5";
      assertEquals("1\n2", session.read(select, List.of(ScalarType.INT)));
      session.close();
    }
  }

  /** Terms are computed from values of the type as it is now; older ones are in older files. */
  @Test
  void indexesOfAnAlteredTypeTakeItsNewValues() throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      ModelSession session = new ModelSession(node, new Random(1));
      session.send("CREATE TYPE model.u (a int)");
      session.send("CREATE TABLE model.altered (p int PRIMARY KEY, v frozen<u>, m set<frozen<u>>)");
      session.send("CREATE INDEX ON model.altered (v)");
      session.send("CREATE INDEX ON model.altered (m) USING 'sai'");
      session.send("INSERT INTO model.altered (p, v, m) VALUES (1, {a: 1}, {{a: 1}})");
      session.send("ALTER TYPE model.u ADD b int");
      session.send("INSERT INTO model.altered (p, v, m) VALUES (2, {a: 1}, {{a: 1, b: 2}})");
      String built = "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = 'model'";
      while (session.poll(built, List.of(ScalarType.TEXT)).lines().count() < 2) {
        session.send("SELECT p FROM model.altered");
      }
      List<CqlType> key = List.of(ScalarType.INT);
      assertEquals("2", session.read("SELECT p FROM model.altered WHERE v = {a: 1}", key));
      assertEquals(
          "2", session.read("SELECT p FROM model.altered WHERE m CONTAINS {a: 1, b: 2}", key));
      session.close();
    }
  }

  /** One seed. */
  private static final class Run {
    private final ModelSession session;
    private final Random random;
    private final String indexed;
    private final String plain;
    private final boolean attached;
    private final TreeSet<String> indexes = new TreeSet<>();
    private long timestamp = 1000;

    Run(NodeUnderTest node, long seed) throws IOException {
      random = new Random(seed);
      session = new ModelSession(node, random);
      indexed = "indexed" + Long.toUnsignedString(seed);
      plain = "plain" + Long.toUnsignedString(seed);
      attached = random.nextBoolean();
    }

    /** Returns the number of rows that queries have found. */
    int run() throws IOException {
      for (String table : List.of(indexed, plain)) {
        session.send(
            "CREATE TABLE model."
                + table
                + " (p1 int, p2 int, c int, d text, v int, s text, i set<int>, m map<int, int>, st"
                + " int static, PRIMARY KEY ((p1, p2), c, d)) WITH CLUSTERING ORDER BY (c DESC, d"
                + " ASC) AND "
                + session.compaction());
      }
      int found = 0;
      for (int step = 0; step < STEPS; step++) {
        long ignored = session.pass(random.nextInt(4));
        timestamp += random.nextInt(3);
        if (random.nextInt(20) == 0) {
          changeIndexes();
        }
        session.disturb();
        write();
        for (int i = 0; i < QUERIES; i++) {
          found += compare();
        }
      }
      session.send("DROP TABLE model." + indexed);
      session.send("DROP TABLE model." + plain);
      session.close();
      return found;
    }

    private String name(String target) {
      return indexed + "_" + target.replaceAll("\\W", "");
    }

    private void changeIndexes() {
      String target = TARGETS.get(random.nextInt(TARGETS.size()));
      String name = name(target);
      if (indexes.remove(target)) {
        session.send("DROP INDEX model." + name);
        return;
      }
      String using = attached ? " USING 'sai'" : "";
      session.send("CREATE INDEX " + name + " ON model." + indexed + " (" + target + ")" + using);
      indexes.add(target);
      String built =
          "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = 'model' AND index_name ="
              + " '"
              + name
              + "'";
      long deadline = System.currentTimeMillis() + BUILD_MILLIS;
      while (session.poll(built, List.of(ScalarType.TEXT)).isEmpty()) {
        assertTrue(System.currentTimeMillis() < deadline, name + " is not built");
      }
    }

    private void write() {
      String text = writeTo("%s");
      session.send(text.replace("%s", "model." + indexed));
      session.send(text.replace("%s", "model." + plain));
    }

    private int small() {
      return random.nextInt(4);
    }

    private String row() {
      return partition() + " AND c = " + small() + " AND d = '" + small() + "'";
    }

    private String partition() {
      return " WHERE p1 = " + random.nextInt(2) + " AND p2 = " + random.nextInt(3);
    }

    private String writeTo(String table) {
      String at = " USING TIMESTAMP " + (timestamp - random.nextInt(6));
      int kind = random.nextInt(40);
      if (kind == 0) {
        return "DELETE FROM " + table + at + partition();
      }
      if (kind < 3) {
        return "DELETE FROM " + table + at + partition() + " AND c >= " + small();
      }
      if (kind < 6) {
        return "DELETE FROM " + table + at + row();
      }
      if (kind < 10) {
        List<String> parts = List.of("v", "s", "i", "m", "m[2]", "i[1]", "v, m[0]");
        return "DELETE " + parts.get(random.nextInt(parts.size())) + " FROM " + table + at + row();
      }
      if (kind < 12) {
        return "DELETE st FROM " + table + at + partition();
      }
      String using = at + (random.nextInt(3) == 0 ? " AND TTL " + (1 + random.nextInt(30)) : "");
      if (kind < 16) {
        return "UPDATE " + table + using + " SET st = " + small() + partition();
      }
      if (kind < 28) {
        return "UPDATE " + table + using + " SET " + assignments() + row();
      }
      return "INSERT INTO "
          + table
          + " (p1, p2, c, d, v, s, i, m) VALUES ("
          + random.nextInt(2)
          + ", "
          + random.nextInt(3)
          + ", "
          + small()
          + ", '"
          + small()
          + "', "
          + small()
          + ", 's"
          + small()
          + "', {"
          + small()
          + ", "
          + small()
          + "}, "
          + map()
          + ")"
          + using;
    }

    private String map() {
      return "{" + small() + ": " + small() + ", 9: " + small() + "}";
    }

    private String assignments() {
      List<String> all = new ArrayList<>();
      if (random.nextBoolean()) {
        all.add("v = " + small());
      }
      if (random.nextBoolean()) {
        all.add("s = 's" + small() + "'");
      }
      switch (random.nextInt(4)) {
        case 0 -> all.add("i = i + {" + small() + "}");
        case 1 -> all.add("i = i - {" + small() + "}");
        case 2 -> all.add("i = {" + small() + "}");
        default -> all.add("i = null");
      }
      switch (random.nextInt(4)) {
        case 0 -> all.add("m[" + small() + "] = " + small());
        case 1 -> all.add("m = m + " + map());
        case 2 -> all.add("m = m - {" + small() + "}");
        default -> all.add("m = " + map());
      }
      return String.join(", ", all);
    }

    private int compare() {
      String where = condition();
      while (random.nextInt(3) == 0) {
        String more = condition();
        // a column is restricted once
        where = where.contains(more.substring(0, 2)) ? where : where + " AND " + more;
      }
      if (random.nextInt(4) == 0 && !where.contains("p2")) {
        where += " AND p1 = " + random.nextInt(2) + " AND p2 = " + random.nextInt(3);
      }
      String limit = random.nextInt(4) == 0 ? " LIMIT " + (1 + random.nextInt(5)) : "";
      String end = " WHERE " + where + limit + " ALLOW FILTERING";
      String expected = session.read("SELECT " + COLUMNS + " FROM model." + plain + end, TYPES);
      String actual = session.read("SELECT " + COLUMNS + " FROM model." + indexed + end, TYPES);
      assertEquals(expected, actual, () -> end + " with indexes on " + indexes);
      return (int) expected.lines().count();
    }

    private String condition() {
      return switch (random.nextInt(12)) {
        case 0, 1 -> "v = " + small();
        case 2 -> "v >= " + small() + " AND v < " + (1 + small());
        case 3, 4 -> "s = 's" + small() + "'";
        case 5 -> "i CONTAINS " + small();
        case 6 -> "m CONTAINS KEY " + small();
        case 7 -> "m CONTAINS " + small();
        case 8 -> "m[" + small() + "] = " + small();
        case 9 -> "st = " + small();
        case 10 -> random.nextBoolean() ? "c = " + small() : "d = '" + small() + "'";
        default -> "p2 = " + random.nextInt(3);
      };
    }
  }
}
