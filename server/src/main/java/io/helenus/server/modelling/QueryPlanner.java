package io.helenus.server.modelling;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.StatementPlanner;
import io.helenus.server.query.restriction.IndexPlan;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans statements as a server does, SELECTs without ALLOW FILTERING. Stateless; any thread. */
final class QueryPlanner {
  private static final StatementPlanner PLANNER = new StatementPlanner(Guardrails.NONE);

  private QueryPlanner() {}

  /**
   * Plans a statement.
   *
   * @throws io.helenus.server.error.CqlException if a server would refuse it
   */
  static StatementPlan plan(Statement statement, Schema schema, @Nullable String keyspace) {
    Statement strict =
        statement instanceof SelectStatement select ? withoutFiltering(select) : statement;
    return PLANNER.plan(strict, schema, keyspace);
  }

  private static SelectStatement withoutFiltering(SelectStatement select) {
    return new SelectStatement(
        select.table(),
        select.json(),
        select.distinct(),
        select.selectors(),
        select.where(),
        select.groupBy(),
        select.orderBy(),
        select.perPartitionLimit(),
        select.limit(),
        false,
        select.bindMarkers());
  }

  /** Whether a SELECT reads the partitions that it names and no others. */
  static boolean isByKey(StatementPlan plan) {
    return plan instanceof SelectPlan select && !select.where().isKeyRange();
  }

  /** What a planned statement costs beyond one partition. */
  static List<String> notes(StatementPlan plan, @Nullable SelectStatement statement) {
    List<String> notes = new ArrayList<>();
    if (!(plan instanceof SelectPlan select) || statement == null) {
      return notes;
    }
    WherePlan where = select.where();
    IndexPlan index = where.index();
    if (index != null && !index.required().isEmpty()) {
      String name = index.required().getFirst().name();
      notes.add(
          where.isKeyRange()
              ? "by the index " + name + ", for which every node is asked"
              : "by the index " + name + " within a partition");
    } else if (where.isKeyRange()) {
      notes.add(
          where.token() == null
              ? "reads every partition of the table"
              : "reads the partitions of a range of tokens");
    } else if (where.hasPartitionKeyIn()) {
      notes.add("reads a partition for each value of IN");
    }
    if (statement.allowFiltering()) {
      notes.add("does not need ALLOW FILTERING");
    }
    return notes;
  }
}
