package io.helenus.server.query.explain;

import io.helenus.cql.ast.ExplainStatement;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.Schema;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans EXPLAIN. Stateless; any thread. */
public final class ExplainPlanner {
  private ExplainPlanner() {}

  /**
   * Plans EXPLAIN of a statement.
   *
   * @param planner plans the explained statement
   * @throws CqlException if the statement is refused for a reason that no other table would remove,
   *     or is to be analyzed and no SELECT
   */
  public static ExplainPlan plan(
      ExplainStatement statement,
      Schema schema,
      @Nullable String keyspaceInUse,
      Function<? super Statement, ? extends StatementPlan> planner) {
    Statement explained = statement.explained();
    if (statement.analyze() && !(explained instanceof SelectStatement)) {
      throw CqlException.invalid(
          "EXPLAIN ANALYZE runs the statement that it explains, and is for SELECT only");
    }
    try {
      return new ExplainPlan(statement, schema, planner.apply(explained), null, null);
    } catch (CqlException e) {
      RefusedQuery refused =
          statement.analyze() ? null : RefusedQuery.of(explained, e, schema, keyspaceInUse);
      if (refused == null) {
        throw e;
      }
      return new ExplainPlan(statement, schema, null, e, refused);
    }
  }
}
