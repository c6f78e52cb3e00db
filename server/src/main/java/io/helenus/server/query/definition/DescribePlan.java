package io.helenus.server.query.definition;

import io.helenus.cql.ast.DescribeStatement;
import io.helenus.server.query.statement.StatementPlan;
import org.jspecify.annotations.Nullable;

/**
 * The plan of DESCRIBE, which uses the schema at the time it runs. Immutable; any thread.
 *
 * @param keyspaceInUse the keyspace in use when it was planned; null if there was none
 */
public record DescribePlan(DescribeStatement statement, @Nullable String keyspaceInUse)
    implements StatementPlan {
  @Override
  public Kind kind() {
    return Kind.DESCRIBE;
  }

  @Override
  public boolean isQualified() {
    return false;
  }
}
