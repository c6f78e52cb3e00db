package io.helenus.server.query.definition;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.server.query.statement.StatementPlan;
import org.jspecify.annotations.Nullable;

/**
 * The plan of CREATE, ALTER or DROP, which {@code metadata} checks and applies when it runs.
 * Immutable; any thread.
 *
 * @param keyspaceInUse the keyspace in use when it was planned; null if there was none
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
