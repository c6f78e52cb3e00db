package io.helenus.server.query.prepared;

import io.helenus.cql.ast.Statement;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Plans statements. Pure; any thread. */
@FunctionalInterface
public interface Planner {
  /**
   * Plans a statement.
   *
   * @param keyspaceInUse the keyspace of unqualified names; null if there is none
   * @throws io.helenus.server.error.CqlException if the statement is invalid, with Cassandra's
   *     error
   */
  StatementPlan plan(Statement statement, Schema schema, @Nullable String keyspaceInUse);
}
