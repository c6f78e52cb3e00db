package io.helenus.server.process;

import io.helenus.cql.parser.CqlParser;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.StatementPlanner;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.Schema;
import io.helenus.server.system.SystemKeyspaces;
import java.util.List;
import java.util.UUID;

/**
 * Warms up the parser and the planner with the first queries of every driver, once a node accepts
 * requests. On first use the JVM links the grammar's classes and switches, which takes about 40 ms
 * that the first client would otherwise wait for. Pure; any thread.
 */
final class WarmUp {
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM system.local WHERE key='local'",
          "SELECT release_version FROM system.local",
          "SELECT * FROM system_schema.tables WHERE keyspace_name = ?",
          "SELECT * FROM system_virtual_schema.columns");

  private WarmUp() {}

  /** Plans all statements. */
  static void run() {
    Schema schema = Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0);
    for (String text : STATEMENTS) {
      StatementPlan plan =
          new StatementPlanner(Guardrails.NONE).plan(CqlParser.parse(text), schema, null);
      assert plan.resultColumns() != null : text;
    }
  }
}
