package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.error.CqlError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Adds to present values where Cassandra answers with a server error or changes nothing. */
class SumRunTest {
  private static final String ADD = "UPDATE ks.t SET v = v + ? WHERE k = 1 AND c = ? IF s = 1";

  private final QueryFixture cql = new QueryFixture();

  @BeforeEach
  void createTable() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run("CREATE TABLE ks.t (k int, c int, s int STATIC, v int, w text, PRIMARY KEY (k, c))");
    cql.run("INSERT INTO ks.t (k, c, s, v, w) VALUES (1, 1, 1, 10, 'a')");
    cql.run("INSERT INTO ks.t (k, c, v, w) VALUES (1, 2, 20, 'b')");
    cql.run("INSERT INTO ks.t (k, c, v, w) VALUES (1, 3, 30, 'c')");
  }

  private String error(String statement, @Nullable Object... values) {
    CqlError error = cql.tryRun(statement, -1, null, values).error();
    assertNotNull(error, statement);
    return error.message();
  }

  @Test
  void anyRowIsReadForAConditionOnStaticColumns() {
    cql.run(ADD, 5, 2);
    cql.run(ADD, 5, 3);
    cql.run(ADD, 5, 4);
    assertEquals("10, 25, 35", cql.run("SELECT v FROM ks.t").text());
  }

  @Test
  void onlyNumbersAndTextsThatArePresentCanBeAdded() {
    assertEquals("Invalid null value for addition to column v", error(ADD, null, 1));
    assertEquals("Invalid unset value for addition to column v", error(ADD, QueryFixture.UNSET, 1));
    assertEquals("Invalid empty value for addition to column v", error(ADD, new byte[0], 1));
    String text = "UPDATE ks.t SET w = w + ? WHERE k = 1 AND c = 1 IF EXISTS";
    assertEquals("Invalid null value for addition to column w", error(text, (Object) null));
    cql.run(text, "");
    cql.run(text, "b");
    assertEquals("ab", cql.run("SELECT w FROM ks.t WHERE k = 1 AND c = 1").text());
  }

  @Test
  void nothingIsAddedToAnEmptyNumber() {
    cql.run("UPDATE ks.t SET v = ? WHERE k = 1 AND c = 1", new byte[0]);
    assertEquals("Cannot add an empty value of type int", error(ADD, 1, 1));
  }

  @Test
  void aSumOfTextsIsLimited() {
    String half = "x".repeat(9 << 20);
    cql.run("UPDATE ks.t SET w = ? WHERE k = 1 AND c = 1", half);
    String add = "UPDATE ks.t SET w = w + ? WHERE k = 1 AND c = 1 IF EXISTS";
    assertEquals(
        "Rejected an oversized mutation: the value of column w would have 18874368 bytes, more"
            + " than the limit of 16777216",
        error(add, half));
  }
}
