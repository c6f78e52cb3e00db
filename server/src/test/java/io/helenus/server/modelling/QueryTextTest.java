package io.helenus.server.modelling;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTextTest {
  @Test
  void onlyTheTableChanges() {
    assertEquals(
        "SELECT a FROM u WHERE b = 'x from t' /* from t */",
        QueryText.from("SELECT a FROM k . \"T\" WHERE b = 'x from t' /* from t */", "u"));
  }

  @Test
  void filteringInALiteralStays() {
    assertEquals(
        "SELECT a FROM t WHERE b = ' allow filtering'",
        QueryText.withoutFiltering(
            "SELECT a FROM t WHERE b = ' allow filtering' ALLOW  filtering"));
  }

  @Test
  void aRelationIsAddedAtTheEndOfWhere() {
    assertEquals(
        "SELECT a FROM t WHERE b = ' limit 1' AND d = ? ORDER BY c LIMIT 1",
        QueryText.and("SELECT a FROM t WHERE b = ' limit 1' ORDER BY c LIMIT 1", "d = ?"));
    assertEquals(
        "SELECT a FROM t WHERE b = 1 AND d = ?",
        QueryText.and("SELECT a FROM t WHERE b = 1", "d = ?"));
    assertEquals(
        "SELECT \"limit \" FROM t WHERE b = 1 AND d = ? PER PARTITION LIMIT 2",
        QueryText.and("SELECT \"limit \" FROM t WHERE b = 1 PER PARTITION LIMIT 2", "d = ?"));
  }

  @Test
  void executionsThatDifferInValuesAreOne() {
    String text =
        QueryText.withoutValues(
            "SELECT a1 FROM t2  WHERE b = 'it''s' AND c = -12.5e3 AND d = 0xCAFE\n"
                + " AND e = 5f0c5ff5-9a4b-4f53-9d5a-1d1de7a8c6a1 LIMIT 10");
    assertEquals("SELECT a1 FROM t2 WHERE b = ? AND c = ? AND d = ? AND e = ? LIMIT ?", text);
  }

  @Test
  void slowQueriesOfBothServersAreFound() {
    String log =
        """
        INFO x Slow query <SELECT * FROM t WHERE a = 1>, was slow 3 times: avg/min/max 6/5/9 msec - slow timeout 5 msec; the slowest: no values
        DEBUG other
        DEBUG [ScheduledTasks:1] <SELECT * FROM t WHERE a = 2>, time 512 msec - slow timeout 500 msec
        INFO x Slow query <SELECT b FROM t WHERE c > 4 AND d < 5>, time 8 msec - slow timeout 5 msec; no values
        """;
    assertEquals(
        List.of(
            new StatementLog.Entry("SELECT * FROM t WHERE a = ?", 1, 4),
            new StatementLog.Entry("SELECT b FROM t WHERE c > ? AND d < ?", 4, 1)),
        StatementLog.read(log));
  }

  @Test
  void aLogWithoutSlowQueriesIsAScript() {
    assertEquals(
        List.of(new StatementLog.Entry("SELECT * FROM t WHERE a = ?", 1, 2)),
        StatementLog.read("SELECT * FROM t WHERE a = 1;\nSELECT * FROM t WHERE a = 2;"));
  }

  @Test
  void aBatchIsOneStatement() {
    List<ScriptStatement> statements =
        ScriptStatement.split(
            "BEGIN BATCH DELETE FROM t WHERE a = 1; DELETE FROM t WHERE a = 2;\n"
                + "apply batch ; SELECT * FROM t;");
    assertEquals(2, statements.size());
    assertEquals("SELECT * FROM t", statements.getLast().text());
    assertEquals(2, statements.getLast().line());
  }
}
