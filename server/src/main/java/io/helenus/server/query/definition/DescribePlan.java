package io.helenus.server.query.definition;

import io.helenus.cql.ast.DescribeStatement;
import io.helenus.server.query.statement.StatementPlan;
import org.jspecify.annotations.Nullable;

/**
 * DESCRIBE: answered from the schema when it runs.
 *
 * @param keyspaceInUse when it was planned
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
