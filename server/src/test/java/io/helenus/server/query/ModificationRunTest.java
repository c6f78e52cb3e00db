package io.helenus.server.query;

import static io.helenus.server.query.QueryFixture.UNSET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.error.CqlError;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModificationRunTest {
  private final QueryFixture cql = new QueryFixture();

  @BeforeEach
  void define() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run("USE ks");
    cql.run("CREATE TABLE one (k int PRIMARY KEY, v int, w text)");
    cql.run("CREATE TABLE t (k int, c int, v int, s int static, PRIMARY KEY (k, c))");
  }

  @Test
  void anUnsetValueIsNotWritten() {
    cql.run("INSERT INTO one (k, v, w) VALUES (?, ?, ?)", 1, UNSET, "x");
    assertEquals("1 null x", cql.run("SELECT k, v, w FROM one").text());
  }

  @Test
  void anUpdateOfUnsetValuesWritesNothing() {
    cql.run("UPDATE one SET v = ? WHERE k = ?", UNSET, 1);
    assertEquals(0, cql.replica.mutations.size());
  }

  @Test
  void aQuietModificationCallsBackOnceEvenIfItWritesNothing() {
    assertEquals(List.of("written"), cql.runQuietly("UPDATE one SET v = ? WHERE k = ?", 5, 1));
    assertEquals(1, cql.replica.mutations.size());
    for (String nothing :
        List.of(
            "UPDATE one SET v = ? WHERE k = ?",
            "UPDATE t SET v = ? WHERE k = ? AND c IN ()",
            "UPDATE t SET s = ? WHERE k = ?")) {
      assertEquals(List.of("written"), cql.runQuietly(nothing, UNSET, 1), nothing);
    }
    assertEquals(List.of("written"), cql.runQuietly("DELETE FROM t WHERE k = ? AND c IN ()", 1));
    assertEquals(1, cql.replica.mutations.size());
  }

  @Test
  void timeToLiveAndTimestampComeFromUsing() {
    cql.run("INSERT INTO one (k, v) VALUES (1, 2) USING TTL ? AND TIMESTAMP ?", 60, 123L);
    assertEquals("2 60 123", cql.run("SELECT v, ttl(v), writetime(v) FROM one").text());
    cql.run("INSERT INTO one (k, v) VALUES (1, 2) USING TTL ?", (Object) null);
    assertEquals("2 null", cql.run("SELECT v, ttl(v) FROM one").text());
  }

  @Test
  void rangesOfRowsAreDeleted() {
    for (int c = 0; c < 6; c++) {
      cql.run("INSERT INTO t (k, c, v) VALUES (1, ?, ?)", c, c);
    }
    cql.run("DELETE FROM t WHERE k = 1 AND c > 1 AND c <= 3");
    assertEquals("0, 1, 4, 5", cql.run("SELECT c FROM t WHERE k = 1").text());
    cql.run("DELETE FROM t WHERE k = 1 AND c IN (0, 5)");
    assertEquals("1, 4", cql.run("SELECT c FROM t WHERE k = 1").text());
    cql.run("DELETE FROM t WHERE k = 1");
    assertEquals("", cql.run("SELECT c FROM t WHERE k = 1").text());
  }

  @Test
  void anUpdateWithInWritesSeveralPartitions() {
    cql.run("UPDATE one SET v = 5 WHERE k IN ?", bytes(2, 4, 1, 4, 2));
    assertEquals("1 5, 2 5", cql.run("SELECT k, v FROM one WHERE k IN (1, 2)").text());
  }

  private static byte[] bytes(int... numbers) {
    java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocate(4 * numbers.length);
    for (int number : numbers) {
      buffer.putInt(number);
    }
    return buffer.array();
  }

  @Test
  void aBatchOnOnePartitionIsOneMutationOfAllItsTables() {
    cql.run(
        "BEGIN BATCH INSERT INTO one (k, v) VALUES (1, 1); INSERT INTO t (k, c, v) VALUES (1, 1,"
            + " 1); UPDATE one SET w = 'x' WHERE k = 1; APPLY BATCH");
    assertEquals(1, cql.replica.mutations.size());
    assertEquals("1 1 1", cql.run("SELECT k, c, v FROM t").text());
  }

  @Test
  void theStatementsOfABatchMayChangeBetweenPartitionsTablesAndKindsOfKeys() {
    cql.run(
        "BEGIN UNLOGGED BATCH INSERT INTO t (k, c, v) VALUES (?, 1, 1); UPDATE t SET v = ? WHERE k"
            + " = 1 AND c = 2; INSERT INTO t (k, c, v) VALUES (1, 3, 3); INSERT INTO one (k, v)"
            + " VALUES (1, 4); UPDATE t SET v = 5 WHERE k IN (2, 1) AND c = 5; INSERT INTO t (k, c,"
            + " v) VALUES (1, 6, 6); INSERT INTO t (k, c, v) VALUES (2, 7, 7); DELETE FROM t WHERE"
            + " k = 1 AND c = 3; APPLY BATCH",
        1,
        UNSET);
    assertEquals(2, cql.replica.mutations.size());
    assertEquals("1 1, 5 5, 6 6", cql.run("SELECT c, v FROM t WHERE k = 1").text());
    assertEquals("5 5, 7 7", cql.run("SELECT c, v FROM t WHERE k = 2").text());
    assertEquals("1 4", cql.run("SELECT k, v FROM one").text());
  }

  @Test
  void aLoggedBatchOnSeveralPartitionsGoesThroughTheBatchLog() {
    cql.run(
        "BEGIN BATCH INSERT INTO one (k, v) VALUES (1, 1); INSERT INTO one (k, v) VALUES (2, 2);"
            + " APPLY BATCH");
    assertEquals(4, cql.replica.mutations.size());
    cql.run(
        "BEGIN UNLOGGED BATCH INSERT INTO one (k, v) VALUES (3, 1); INSERT INTO one (k, v) VALUES"
            + " (4, 2); APPLY BATCH");
    assertEquals(6, cql.replica.mutations.size());
  }

  @Test
  void theSizeOfABatchIsCountedAsByCassandra() {
    cql.run("CREATE TABLE txt (k text, c text, v text, PRIMARY KEY (k, c))");
    StringBuilder batch = new StringBuilder("BEGIN BATCH ");
    for (int i = 0; i < 6; i++) {
      batch
          .append("INSERT INTO txt (k, c, v) VALUES ('")
          .append(i)
          .append("', 'a', '")
          .append("x".repeat(900))
          .append("');");
    }
    assertEquals(
        "[Batch for [ks.txt] is of size 5826, exceeding specified threshold of 5120 by 706.]",
        cql.run(batch.append(" APPLY BATCH").toString()).warnings().toString());
  }

  @Test
  void aValueOfTheWrongLengthIsRefused() {
    CqlError error = cql.tryRun("INSERT INTO one (k, v) VALUES (?, ?)", -1, null, 1, "abc").error();
    assertNotNull(error);
    assertEquals("Expected 4 or 0 byte int (3)", error.message());
  }
}
