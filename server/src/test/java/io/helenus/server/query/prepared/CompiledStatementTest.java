package io.helenus.server.query.prepared;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.QueryFixture;
import io.helenus.server.query.StatementPlanner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The script {@code prepared-altered.cql} compares with Cassandra. */
class CompiledStatementTest {
  private final QueryFixture cql = new QueryFixture();
  private final Planner planner = new StatementPlanner(Guardrails.NONE);

  @BeforeEach
  void define() {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run("CREATE TYPE ks.addr (street text)");
    cql.run("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
  }

  private CompiledStatement compile(String text) {
    return CompiledStatement.compile(text, false, null, cql.schema(), planner);
  }

  @Test
  void aMarkerWhoseCastNamesATypeThatNoColumnHasIsPreparedAgain() {
    CompiledStatement named = compile("SELECT v FROM ks.t WHERE k = ?");
    CompiledStatement cast = compile("SELECT v, to_json((ks.addr)?) FROM ks.t WHERE k = ?");
    cql.run("ALTER TYPE ks.addr ADD city text");
    assertNotNull(named.planAgain(cql.schema(), planner));
    assertNull(cast.planAgain(cql.schema(), planner));
  }

  @Test
  void everyTableOfABatchCounts() {
    cql.run("CREATE TABLE ks.u (k int PRIMARY KEY, v text)");
    CompiledStatement batch =
        compile(
            "BEGIN BATCH INSERT INTO ks.t (k, v) VALUES (1, ?); INSERT INTO ks.u (k, v) VALUES (1,"
                + " ?) APPLY BATCH");
    assertNotNull(batch.planAgain(cql.schema(), planner));
    cql.run("ALTER TABLE ks.u ADD w int");
    assertNull(batch.planAgain(cql.schema(), planner));
  }

  @Test
  void truncateStaysPreparedWhileItsTableDoesNotExist() {
    CompiledStatement truncate = compile("TRUNCATE ks.t");
    cql.run("DROP TABLE ks.t");
    assertThrows(CqlException.class, () -> truncate.planAgain(cql.schema(), planner));
    cql.run("CREATE TABLE ks.t (k int PRIMARY KEY, v float)");
    assertNotNull(truncate.planAgain(cql.schema(), planner));
  }
}
