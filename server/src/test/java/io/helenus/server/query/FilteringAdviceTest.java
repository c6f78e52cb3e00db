package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.advice.Silence;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.RecordedExchange;
import io.helenus.server.protocol.Request;
import io.helenus.server.query.prepared.CompiledStatement;
import io.helenus.server.query.prepared.PreparedStatement;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.ring.ConsistencyLevel;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which executions of prepared statements are counted. */
class FilteringAdviceTest {
  private static final String FILTERING = "SELECT * FROM k.t WHERE b = 1 ALLOW FILTERING";
  private static final String BY_KEY = "SELECT * FROM k.t WHERE a = 1";

  private final QueryFixture fixture = new QueryFixture();

  @BeforeEach
  void createTable() {
    fixture.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    fixture.run("CREATE TABLE k.t (a int PRIMARY KEY, b int)");
  }

  /** Whether an execution of a statement is counted. */
  private boolean counts(String configured, String cql) {
    byte[] id = PreparedStatement.id(cql, null, true);
    CompiledStatement compiled =
        CompiledStatement.compile(
            cql, false, null, fixture.schema(), new StatementPlanner(Guardrails.NONE));
    PreparedStatement statement = new PreparedStatement(id, cql, compiled);
    PreparedStatements all = new PreparedStatements(1 << 20);
    all.add(statement);
    FilteringAdvice advice =
        new FilteringAdvice(
            new StatementAdvisor(Silence.of(configured, "")),
            new PreparedStatements.ShardView(all));
    QueryParameters parameters = new QueryParameters();
    parameters.reset(ConsistencyLevel.ONE);
    Request.Execute request = new Request.Execute(parameters);
    request.id(MemorySegment.ofArray(id), 0, id.length);
    advice.executed(compiled.plan(), request, fixture.schema(), new RecordedExchange());
    return !statement.countsTo(1);
  }

  @Test
  void onlyWhatMayBeSpokenAboutIsCounted() {
    assertTrue(counts("on", FILTERING));
    assertTrue(counts(StatementAdvisor.FILTERING, FILTERING));
    assertFalse(counts("on", BY_KEY));
    assertFalse(counts(StatementAdvisor.BATCH, FILTERING));
    assertFalse(counts("off", FILTERING));
  }
}
