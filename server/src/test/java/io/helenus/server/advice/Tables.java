package io.helenus.server.advice;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.modelling.ScriptSchema;
import io.helenus.server.modelling.ScriptStatement;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.util.Objects;
import java.util.UUID;

/** Tables from CQL, for tests of what looks at one table. */
final class Tables {
  private Tables() {}

  /** The table that the last definition of a script creates or alters, in the keyspace k. */
  static TableSchema of(String script) {
    ScriptSchema schema =
        new ScriptSchema(
            Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
            "k",
            new FunctionContext(new SystemClock(), () -> 42));
    schema.take(AdvicePages.KEYSPACE);
    TableSchema table = null;
    for (ScriptStatement statement : ScriptStatement.split(script)) {
      SchemaChange change = schema.take(statement.text());
      if (change != null && change.table() != null) {
        table = schema.schema().table(change.keyspace(), change.table());
      }
    }
    return Objects.requireNonNull(table);
  }
}
