package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Pages that end early because of their size have the same rows as one page, or an unpaged read.
 */
class PageBytesTest {
  @RegisterExtension final Seeds seeds = Seeds.from(11);

  private static final int[] PAGE_BYTES = {1, 40, 150, 700, 5000};
  private static final int MOST_VALUE_BYTES = 200;

  /** Fixtures with the same rows that differ in the size at which a page ends. */
  private final List<QueryFixture> fixtures = new ArrayList<>();

  private void everywhere(String statement) {
    for (QueryFixture each : fixtures) {
      each.run(statement);
    }
  }

  private void fill(Random random) {
    fixtures.clear();
    for (int bytes : PAGE_BYTES) {
      fixtures.add(new QueryFixture(null, bytes, NodeMemory.unlimited()));
    }
    everywhere(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    String order = random.nextBoolean() ? "" : " WITH CLUSTERING ORDER BY (a DESC, b ASC)";
    everywhere(
        "CREATE TABLE ks.t (k int, a int, b int, s text static, v text, PRIMARY KEY (k, a, b))"
            + order);
    everywhere("CREATE TABLE ks.flat (k int PRIMARY KEY, v text)");
    int partitions = 1 + random.nextInt(6);
    for (int k = 0; k < partitions; k++) {
      int rows = random.nextInt(8);
      for (int i = 0; i < rows; i++) {
        everywhere(
            String.format(
                "INSERT INTO ks.t (k, a, b, v) VALUES (%d, %d, %d, '%s')",
                k, i / 3, i % 3, value(random)));
      }
      if (random.nextInt(3) == 0 || rows == 0) {
        everywhere(String.format("INSERT INTO ks.t (k, s) VALUES (%d, '%s')", k, value(random)));
      }
      everywhere(String.format("INSERT INTO ks.flat (k, v) VALUES (%d, '%s')", k, value(random)));
    }
  }

  private static String value(Random random) {
    return "x".repeat(random.nextInt(1 + random.nextInt(MOST_VALUE_BYTES)));
  }

  private static String select(Random random) {
    String columns =
        switch (random.nextInt(6)) {
          case 0 -> "DISTINCT k, s";
          case 1 -> "k, a, count(*), max(v)";
          case 2 -> "k, max(v)";
          case 3 -> "k, a, b, s, v";
          case 4 -> "v";
          default -> "k, a, b";
        };
    boolean distinct = columns.startsWith("DISTINCT");
    boolean ofPartition = columns.equals("k, max(v)");
    boolean grouped = ofPartition || columns.contains("count");
    int where = random.nextInt(distinct ? 3 : 5);
    String text =
        "SELECT "
            + columns
            + " FROM ks.t"
            + switch (where) {
              case 0 -> "";
              case 1 -> " WHERE k IN (3, 0, 1, 7, 2)";
              case 2 -> " WHERE k = " + random.nextInt(4);
              case 3 -> " WHERE k = " + random.nextInt(4) + " AND a IN (0, 2)";
              default -> " WHERE k = " + random.nextInt(4) + " AND a > 0";
            };
    if (grouped) {
      text += ofPartition ? " GROUP BY k" : " GROUP BY k, a";
    } else if (!distinct && where >= 2 && random.nextBoolean()) {
      text += random.nextBoolean() ? " ORDER BY a DESC, b DESC" : " ORDER BY a ASC, b ASC";
      text = text.replace("a DESC, b DESC", "a DESC").replace("a ASC, b ASC", "a ASC");
    }
    if (!distinct && random.nextInt(3) == 0) {
      text += " PER PARTITION LIMIT " + (1 + random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      text += " LIMIT " + (1 + random.nextInt(12));
    }
    return text;
  }

  @Test
  void pagesThatEndEarlyHaveTheRowsOfAnUnpagedRead() throws Exception {
    int[] early = new int[1];
    seeds.each(
        25,
        seed -> {
          Random random = new Random(seed);
          fill(random);
          for (int i = 0; i < 30; i++) {
            String statement = select(random);
            String whole = fixtures.getFirst().run(statement).text();
            for (int f = 0; f < fixtures.size(); f++) {
              int pageSize = 1 + random.nextInt(20);
              early[0] += requireSame(statement, whole, fixtures.get(f), pageSize, PAGE_BYTES[f]);
            }
          }
        });
    assertTrue(early[0] > 0, "pages that ended early");
  }

  /** Returns the number of pages that ended before they had as many rows as asked for. */
  private static int requireSame(
      String statement, String whole, QueryFixture cql, int pageSize, int pageBytes) {
    String reported = statement + " by " + pageSize + " rows and " + pageBytes + " bytes";
    List<String> pages = new ArrayList<>();
    int early = 0;
    byte[] state = null;
    do {
      QueryFixture.Answer page = cql.tryRun(statement, pageSize, state);
      assertEquals(null, page.error(), reported);
      assertTrue(page.rows().size() <= pageSize, reported);
      requireOnlyTheLastRowExceeds(page, pageBytes, reported);
      if (!page.rows().isEmpty()) {
        pages.add(page.text());
      }
      state = page.pagingState();
      if (state != null && page.rows().size() < pageSize) {
        assertFalse(page.rows().isEmpty(), reported);
        early++;
      }
    } while (state != null);
    assertEquals(whole, String.join(", ", pages), reported);
    return early;
  }

  private static void requireOnlyTheLastRowExceeds(
      QueryFixture.Answer page, int pageBytes, String reported) {
    long bytes = 0;
    for (List<byte[]> row : page.rows()) {
      assertTrue(bytes < pageBytes, reported);
      for (byte[] value : row) {
        bytes += 4 + (value == null ? 0 : value.length);
      }
    }
  }

  @Test
  void aReadOfOneRowHasOnePage() {
    fill(seeds.random());
    QueryFixture cql = fixtures.getFirst();
    cql.run("INSERT INTO ks.t (k, a, b, v) VALUES (1, 1, 1, 'long enough')");
    String one = "SELECT v FROM ks.t WHERE k = 1 AND a = 1 AND b = 1";
    assertEquals(null, cql.tryRun(one, 100, null).pagingState());
    cql.run("INSERT INTO ks.flat (k, v) VALUES (1, 'long enough')");
    assertEquals(null, cql.tryRun("SELECT v FROM ks.flat WHERE k = 1", 100, null).pagingState());
  }
}
