package io.helenus.server.query.definition;

import io.helenus.server.query.statement.StatementPlan;

/** The plan of USE; the keyspace is looked up when it runs. Immutable; any thread. */
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
