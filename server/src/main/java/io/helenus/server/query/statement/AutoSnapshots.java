package io.helenus.server.query.statement;

import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Takes snapshots of tables before a statement removes what they contain. Any thread. */
public interface AutoSnapshots {
  /** Why tables lose what they contain. */
  enum Reason {
    /** DROP TABLE, DROP MATERIALIZED VIEW or DROP KEYSPACE. */
    DROPPED,
    /** TRUNCATE. */
    TRUNCATED
  }

  /**
   * Takes a snapshot of each of these tables that has data and is to have snapshots.
   *
   * @param schema the schema that has the tables
   * @param answerOn where the callback is run, unless there is nothing to do: then at once
   * @param whenDone receives null, or the failure: what the tables contain must not be removed then
   */
  void take(
      Reason reason,
      Schema schema,
      List<TableSchema> tables,
      Executor answerOn,
      Consumer<? super Exception> whenDone);
}
