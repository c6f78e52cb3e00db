package io.helenus.server.query.definition;

import io.helenus.server.query.statement.StatementPlan;

/** USE; whether the keyspace exists is asked when it runs. */
public record UsePlan(String keyspace) implements StatementPlan {
  @Override
  public Kind kind() {
    return Kind.USE;
  }

  @Override
  public boolean isQualified() {
    return false;
  }
}
