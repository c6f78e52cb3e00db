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
   * @param keyspaceInUse where names without a keyspace are looked up; null for nowhere
   * @throws io.helenus.server.error.CqlException as Cassandra refuses it
   */
  StatementPlan plan(Statement statement, Schema schema, @Nullable String keyspaceInUse);
}
