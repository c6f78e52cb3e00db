package io.helenus.server.modelling;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.schema.Schema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is advised about texts. */
final class Advised {
  private Advised() {}

  static Report about(String schema) throws ScriptException {
    return about(schema, null, null);
  }

  static Report about(String schema, @Nullable String queries, @Nullable String log)
      throws ScriptException {
    return ScriptAdvisor.advise(
        Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
        new FunctionContext(new SystemClock(), () -> 42),
        new Script("schema.cql", schema),
        queries == null ? List.of() : List.of(new Script("queries.cql", queries)),
        log == null ? null : new Script("system.log", log));
  }

  /** The verdict on the only query of a script. */
  static Verdict verdict(String script) throws ScriptException {
    return about(script).queries().getFirst().verdict();
  }

  /** That on a query that is refused. */
  static Verdict.Refused refused(String script) throws ScriptException {
    return (Verdict.Refused) verdict(script);
  }

  /** The only proposed table. */
  static Report.Proposal proposal(String script) throws ScriptException {
    Report report = about(script);
    if (report.proposals().size() != 1) {
      throw new AssertionError(report.queries() + " " + report.proposals());
    }
    return report.proposals().getFirst();
  }

  /** The primary key in a definition. */
  static String key(String definition) {
    int from = definition.indexOf("PRIMARY KEY (") + "PRIMARY KEY (".length();
    return definition.substring(from, definition.indexOf('\n', from) - 1);
  }
}
