package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SelectRunTest {
  @RegisterExtension final Seeds seeds = Seeds.from(7);

  private static final List<String> PAGED =
      List.of(
          "SELECT k, a, b, s, v FROM ks.t",
          "SELECT k, a, b FROM ks.t LIMIT 7",
          "SELECT k, a, b FROM ks.t PER PARTITION LIMIT 2",
          "SELECT DISTINCT k, s FROM ks.t",
          "SELECT k, a, b FROM ks.t WHERE k = 1",
          "SELECT k, a, b FROM ks.t WHERE k = 1 ORDER BY a DESC",
          "SELECT k, a, b FROM ks.t WHERE k = 1 AND a > 0",
          "SELECT k, a, b FROM ks.t WHERE k = 1 AND a IN (0, 2) AND b >= 1",
          "SELECT k, a, b FROM ks.t WHERE k = 1 AND (a, b) > (0, 1)",
          "SELECT k, a, b FROM ks.t WHERE k = 1 AND (a, b) > (0, 1) ORDER BY a DESC",
          "SELECT k, a, b FROM ks.t WHERE k IN (2, 1, 5, 9) LIMIT 20",
          "SELECT k, a, b FROM ks.t WHERE k IN (2, 1, 5) PER PARTITION LIMIT 3",
          "SELECT k, a, b FROM ks.t WHERE token(k) > 0",
          "SELECT k, a, b, v FROM ks.t WHERE v > 10 ALLOW FILTERING",
          "SELECT k, a, b FROM ks.t WHERE a = 1 ALLOW FILTERING",
          "SELECT k, s FROM ks.t WHERE s = 50 ALLOW FILTERING",
          "SELECT k, a, count(*) FROM ks.t GROUP BY k, a",
          "SELECT k, count(*), max(v) FROM ks.t GROUP BY k LIMIT 3");

  private final QueryFixture cql = new QueryFixture();

  @BeforeEach
  void fill() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run(
        "CREATE TABLE ks.t (k int, a int, b int, s int static, v int, PRIMARY KEY (k, a, b))"
            + " WITH CLUSTERING ORDER BY (a ASC, b DESC)");
    for (int k = 0; k < 4; k++) {
      for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
          cql.run("INSERT INTO ks.t (k, a, b, v) VALUES (?, ?, ?, ?)", k, a, b, 10 * a + b);
        }
      }
    }
    cql.run("INSERT INTO ks.t (k, s) VALUES (5, 50)");
    cql.run("INSERT INTO ks.t (k, s) VALUES (1, 10)");
    cql.run("INSERT INTO ks.t (k, s) VALUES (9, 50)");
  }

  @Test
  void pagesOfAnySizeHaveTheSameRowsAsOnePage() {
    for (String statement : PAGED) {
      String whole = cql.run(statement).text();
      for (int pageSize = 1; pageSize <= 8; pageSize++) {
        assertEquals(whole, paged(statement, pageSize), statement + " by " + pageSize);
      }
    }
  }

  private String paged(String statement, int pageSize) {
    List<String> pages = new ArrayList<>();
    byte[] state = null;
    do {
      QueryFixture.Answer page = cql.tryRun(statement, pageSize, state);
      assertEquals(null, page.error(), statement);
      assertTrue(page.rows().size() <= pageSize, statement);
      if (!page.rows().isEmpty()) {
        pages.add(page.text());
      }
      state = page.pagingState();
    } while (state != null);
    return String.join(", ", pages);
  }

  @Test
  void manyPartitionsAreReadInSeveralTurns() {
    cql.run("CREATE TABLE ks.many (k int PRIMARY KEY)");
    StringBuilder keys = new StringBuilder("0");
    for (int k = 0; k < 40; k++) {
      cql.run("INSERT INTO ks.many (k) VALUES (?)", k);
      keys.append(", ").append(k);
    }
    String select = "FROM ks.many WHERE k IN (" + keys + ")";
    assertEquals(40, cql.run("SELECT k " + select).rows().size());
    assertEquals("40", cql.run("SELECT count(*) " + select).text());
    assertEquals(33, cql.run("SELECT k " + select + " LIMIT 33").rows().size());
  }

  @Test
  void aPartitionWithOnlyStaticContentYieldsARowUnlessRowsAreRestricted() {
    assertEquals("5 null 50", cql.run("SELECT k, a, s FROM ks.t WHERE k = 5").text());
    assertEquals("", cql.run("SELECT k, a, s FROM ks.t WHERE k = 5 AND a = 1").text());
    assertEquals("1", cql.run("SELECT count(*) FROM ks.t WHERE k = 5").text());
    assertEquals("0", cql.run("SELECT count(a) FROM ks.t WHERE k = 5").text());
    assertEquals("", cql.run("SELECT k FROM ks.t WHERE k = 5 AND v = 1 ALLOW FILTERING").text());
  }

  @Test
  void aTupleSliceOverMixedDirectionsComparesByValue() {
    assertEquals(
        "1 2, 2 2, 2 1, 2 0",
        cql.run("SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) > (1, 1)").text());
    assertEquals(
        "0 2, 0 1, 1 0",
        cql.run("SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) > (0, 0) AND (a, b) <= (1, 0)")
            .text());
    assertEquals(
        "", cql.run("SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) > (1, 1) AND a < 1").text());
  }

  @Test
  void aRandomTupleSliceSelectsTheRowsWithinItsBounds() {
    Random random = seeds.random();
    for (int round = 0; round < 200; round++) {
      int lowA = random.nextInt(4) - 1;
      int lowB = random.nextInt(4) - 1;
      int highA = random.nextInt(4) - 1;
      int highB = random.nextInt(4) - 1;
      boolean lowIn = random.nextBoolean();
      boolean highIn = random.nextBoolean();
      String statement =
          "SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) "
              + (lowIn ? ">= (" : "> (")
              + lowA
              + ", "
              + lowB
              + ") AND (a, b) "
              + (highIn ? "<= (" : "< (")
              + highA
              + ", "
              + highB
              + ")";
      List<String> expected = new ArrayList<>();
      for (int a = 0; a < 3; a++) {
        for (int b = 2; b >= 0; b--) {
          int value = 10 * a + b;
          int low = 10 * lowA + lowB;
          int high = 10 * highA + highB;
          if ((value > low || lowIn && value == low) && (value < high || highIn && value == high)) {
            expected.add(a + " " + b);
          }
        }
      }
      assertEquals(String.join(", ", expected), cql.run(statement).text(), statement);
    }
  }

  @Test
  void orderBySortsTheRowsOfSeveralPartitions() {
    assertEquals(
        "2 1, 2 2, 1 1, 1 2, 0 1, 0 2",
        cql
            .run("SELECT a, k FROM ks.t WHERE k IN (2, 1) ORDER BY a DESC PER PARTITION LIMIT 9")
            .rows()
            .stream()
            .map(row -> new QueryFixture.Answer(null, List.of(row), List.of(), null).text())
            .distinct()
            .reduce((one, other) -> one + ", " + other)
            .orElse(""));
    CqlError error =
        cql.tryRun("SELECT a FROM ks.t WHERE k IN (1, 2) ORDER BY a", 10, null).error();
    assertNotNull(error);
    assertTrue(error.message().startsWith("Cannot page queries with both ORDER BY and a IN"));
  }

  @Test
  void aTruncatedOrModifiedPagingStateIsRefused() {
    byte[] state = cql.tryRun("SELECT k, a FROM ks.t", 3, null).pagingState();
    assertNotNull(state);
    for (int i = 0; i < state.length; i++) {
      byte[] changed = state.clone();
      changed[i] ^= 1;
      assertRefused("SELECT k, a FROM ks.t", changed);
      assertRefused("SELECT k, a FROM ks.t", java.util.Arrays.copyOf(state, i == 0 ? 1 : i));
    }
    assertRefused("SELECT k, a FROM ks.t WHERE k IN (7, 8)", state);
  }

  private void assertRefused(String statement, byte[] state) {
    CqlError error = cql.tryRun(statement, 3, state).error();
    assertNotNull(error, statement);
    assertEquals("Invalid value for the paging state", error.message());
    assertEquals(0x000A, error.code());
  }

  @Test
  void aSelectedFunctionAcceptsBoundValues() {
    assertEquals(
        "1 7", cql.run("SELECT k, blobAsInt(?) FROM ks.t WHERE k = ? LIMIT 1", 7, 1).text());
  }
}
