package io.helenus.server.query;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.DescribeStatement;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.RoleStatement;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.TruncateStatement;
import io.helenus.cql.ast.UseStatement;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.definition.DescribePlan;
import io.helenus.server.query.definition.SchemaPlan;
import io.helenus.server.query.definition.UsePlan;
import io.helenus.server.query.modification.BatchPlanner;
import io.helenus.server.query.modification.ModificationPlanner;
import io.helenus.server.query.modification.TruncatePlan;
import io.helenus.server.query.prepared.Planner;
import io.helenus.server.query.select.SelectPlanner;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.statement.Unsupported;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.server.schema.TableSchema;
import org.jspecify.annotations.Nullable;

/** Plans a statement against a schema. Immutable and pure; any thread. */
public final class StatementPlanner implements Planner {
  private final Guardrails guardrails;

  /** Creates a planner of statements that must respect these guardrails. */
  public StatementPlanner(Guardrails guardrails) {
    this.guardrails = guardrails;
  }

  /**
   * Plans a statement.
   *
   * @param keyspaceInUse the keyspace of unqualified names; null if there is none
   * @throws io.helenus.server.error.CqlException if the statement is invalid, with Cassandra's
   *     error
   */
  @Override
  public StatementPlan plan(Statement statement, Schema schema, @Nullable String keyspaceInUse) {
    PlanningScope scope =
        new PlanningScope(schema, keyspaceInUse, statement.bindMarkers(), guardrails);
    return switch (statement) {
      case SelectStatement select -> new SelectPlanner(scope, select).plan();
      case ModificationStatement modification -> new ModificationPlanner(scope).plan(modification);
      case BatchStatement batch -> BatchPlanner.plan(scope, batch);
      case TruncateStatement truncate -> {
        TableSchema table = scope.table(truncate.table());
        SchemaNames.requireTruncatable(table);
        scope.require(Feature.DROP_TRUNCATE_TABLE);
        yield new TruncatePlan(table, truncate.table().keyspace() != null);
      }
      case UseStatement(String keyspace) -> new UsePlan(keyspace);
      case SchemaStatement definition -> {
        SchemaPlanner.check(definition, keyspaceInUse);
        yield new SchemaPlan(definition, keyspaceInUse);
      }
      case DescribeStatement describe -> new DescribePlan(describe, keyspaceInUse);
      case RoleStatement role -> throw Unsupported.feature(role.feature());
    };
  }
}
