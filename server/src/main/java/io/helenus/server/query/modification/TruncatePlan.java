package io.helenus.server.query.modification;

import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.TableSchema;

/** The plan of TRUNCATE. Immutable; any thread. */
public record TruncatePlan(TableSchema table, boolean isQualified) implements StatementPlan {
  @Override
  public Kind kind() {
    return Kind.TRUNCATE;
  }
}
