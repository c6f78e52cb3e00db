package io.helenus.server.query.definition;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.server.query.statement.StatementPlan;
import org.jspecify.annotations.Nullable;

/**
 * A definition statement: judged and carried out by {@code metadata} when it runs.
 *
 * @param keyspaceInUse when it was planned
 */
public record SchemaPlan(SchemaStatement statement, @Nullable String keyspaceInUse)
    implements StatementPlan {
  @Override
  public Kind kind() {
    return Kind.DEFINITION;
  }

  @Override
  public boolean isQualified() {
    return false;
  }
}
