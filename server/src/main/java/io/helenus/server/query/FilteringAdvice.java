package io.helenus.server.query;

import io.helenus.server.advice.Advice;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Request;
import io.helenus.server.query.prepared.PreparedStatement;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.statement.DefinitionLog;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Schema;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts the executions of prepared SELECTs that filter all rows of a table, and says so once when
 * there are many. One per shard; shard thread only.
 */
final class FilteringAdvice {
  private final StatementAdvisor advisor;
  private final PreparedStatements.ShardView statements;
  private final boolean isOn;

  FilteringAdvice(StatementAdvisor advisor, PreparedStatements.ShardView statements) {
    this.advisor = advisor;
    this.statements = statements;
    this.isOn = advisor.advisesOnFiltering();
  }

  /** Takes note of an execution; not of further pages. */
  void executed(StatementPlan plan, Request.Execute request, Schema schema, Exchange exchange) {
    if (isOn
        && plan.kind() == StatementPlan.Kind.SELECT
        && ((SelectPlan) plan).filtersAllRows()
        && request.parameters().pagingStateLength() < 0) {
      count((SelectPlan) plan, request, schema, exchange);
    }
  }

  private void count(SelectPlan plan, Request.Execute request, Schema schema, Exchange exchange) {
    MemorySegment segment = request.segment();
    long high = Bytes.getLong(segment, request.idOffset());
    long low = Bytes.getLong(segment, request.idOffset() + 8L);
    PreparedStatement statement = statements.find(high, low);
    if (statement == null || !statement.countsTo(StatementAdvisor.FILTERING_EXECUTIONS)) {
      return;
    }
    List<Restriction> filters = plan.where().filters();
    Set<ColumnSchema> filtered = new LinkedHashSet<>();
    Set<ColumnSchema> equal = new LinkedHashSet<>();
    for (Restriction filter : filters) {
      filtered.addAll(filter.columns());
      if (filter instanceof Restriction.Equal) {
        equal.addAll(filter.columns());
      }
    }
    Advice advice = advisor.ofFiltering(schema, plan.table(), filtered, List.copyOf(equal));
    if (advice != null) {
      exchange.warn(advice.text());
      DefinitionLog.advised(advice.text());
    }
  }
}
