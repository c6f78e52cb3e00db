package io.helenus.server.query;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.DescribeStatement;
import io.helenus.cql.ast.ExplainStatement;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.RoleStatement;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.TruncateStatement;
import io.helenus.cql.ast.UseStatement;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.definition.DescribePlan;
import io.helenus.server.query.definition.SchemaPlan;
import io.helenus.server.query.definition.UsePlan;
import io.helenus.server.query.explain.ExplainPlanner;
import io.helenus.server.query.explain.RefusedQuery;
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
  private final @Nullable StatementAdvisor advisor;

  /** Creates a planner of statements that must respect these guardrails. */
  public StatementPlanner(Guardrails guardrails) {
    this(guardrails, null);
  }

  /**
   * Creates a planner of the statements of clients.
   *
   * @param advisor decides whether clients whose statements are refused are advised; null for none
   */
  public StatementPlanner(Guardrails guardrails, @Nullable StatementAdvisor advisor) {
    this.guardrails = guardrails;
    this.advisor = advisor;
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
    try {
      return planUnadvised(statement, schema, keyspaceInUse);
    } catch (CqlException e) {
      throw advised(e, statement, schema, keyspaceInUse);
    }
  }

  /** The refusal of a SELECT, with what would serve it. */
  private CqlException advised(
      CqlException refusal, Statement statement, Schema schema, @Nullable String keyspaceInUse) {
    StatementAdvisor of = advisor;
    if (of == null || !(statement instanceof SelectStatement)) {
      return refusal;
    }
    TableSchema table = RefusedQuery.table(statement, refusal, schema, keyspaceInUse);
    if (table == null || !of.speaksOfRefusals(table)) {
      return refusal;
    }
    RefusedQuery refused = RefusedQuery.of(statement, refusal, schema, keyspaceInUse);
    return refused == null ? refusal : refusal.advising(refused.advice().text());
  }

  private StatementPlan planUnadvised(
      Statement statement, Schema schema, @Nullable String keyspaceInUse) {
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
      case ExplainStatement explain ->
          ExplainPlanner.plan(
              explain, schema, keyspaceInUse, each -> planUnadvised(each, schema, keyspaceInUse));
      case DescribeStatement describe -> new DescribePlan(describe, keyspaceInUse);
      case RoleStatement role -> throw Unsupported.feature(role.feature());
    };
  }
}
