package io.helenus.server.query.modification;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans BEGIN BATCH … APPLY BATCH. Stateless and pure. */
public final class BatchPlanner {
  private BatchPlanner() {}

  /**
   * Plans a batch.
   *
   * @throws CqlException if the batch is invalid, with Cassandra's error, or uses a feature that
   *     Helenus does not support
   */
  public static BatchPlan plan(PlanningScope scope, BatchStatement statement) {
    ValueSlots.Builder slots = new ValueSlots.Builder();
    UsingClause using = UsingClause.ofBatch(statement.parameters(), new TermCompiler(scope), slots);
    List<ModificationPlan> plans = new ArrayList<>();
    boolean qualified = true;
    for (ModificationStatement each : statement.statements()) {
      plans.add(new ModificationPlanner(scope).planInBatch(each));
      qualified &= each.table().keyspace() != null;
    }
    if (statement.parameters().timeToLive() != null) {
      throw CqlException.invalid("Global TTL on the BATCH statement is not supported.");
    }
    if (using.timestampSlot() != null && isConditional(plans)) {
      throw CqlException.invalid("Cannot provide custom timestamp for conditional BATCH");
    }
    if (using.timestampSlot() != null && statement.kind() == BatchStatement.Kind.COUNTER) {
      throw CqlException.invalid("Cannot provide custom timestamp for counter BATCH");
    }
    if (using.timestampSlot() != null
        && statement.statements().stream()
            .anyMatch(each -> each.parameters().timestamp() != null)) {
      throw CqlException.invalid("Timestamp must be set either on BATCH or individual statements");
    }
    if (using.timestampSlot() != null && plans.stream().anyMatch(BatchPlanner::isCounting)) {
      throw CqlException.invalid("Cannot provide custom timestamp for a BATCH containing counters");
    }
    requireCounters(
        statement.kind() == BatchStatement.Kind.LOGGED,
        statement.kind() == BatchStatement.Kind.COUNTER,
        plans);
    plans.forEach(plan -> SchemaNames.requireNoView(plan.table()));
    TableSchema table = onlyTable(plans);
    MarkerColumns markers =
        new MarkerColumns(
            scope.variables().columns(),
            scope.variables().names(),
            table == null || statement.parameters().timestamp() instanceof BindMarker
                ? new int[0]
                : scope.variables().partitionKeyIndexes(table));
    if (isConditional(plans)) {
      plans.forEach(plan -> requireSameTable(plans.getFirst().table(), plan.table()));
    }
    return new BatchPlan(statement.kind(), markers, slots.build(), using, plans, qualified);
  }

  private static boolean isConditional(List<ModificationPlan> plans) {
    return plans.stream().anyMatch(plan -> plan.condition() != null);
  }

  /**
   * Checks that all statements of a conditional batch write one table.
   *
   * @throws CqlException INVALID if they do not
   */
  static void requireSameTable(TableSchema first, TableSchema other) {
    if (!first.equals(other)) {
      throw CqlException.invalid("Batch with conditions cannot span multiple tables");
    }
  }

  /**
   * Checks that a batch has counter statements if its kind wants them, and does not mix them with
   * others.
   *
   * @throws CqlException INVALID if it does not
   */
  public static void requireCounters(
      boolean logged, boolean counting, Collection<ModificationPlan> plans) {
    boolean hasCounters = plans.stream().anyMatch(BatchPlanner::isCounting);
    boolean hasOthers = !plans.stream().allMatch(BatchPlanner::isCounting);
    if (counting && hasOthers) {
      throw CqlException.invalid("Cannot include non-counter statement in a counter batch");
    }
    if (hasCounters && hasOthers) {
      throw CqlException.invalid(
          "Counter and non-counter mutations cannot exist in the same batch");
    }
    if (hasCounters && logged) {
      throw CqlException.invalid("Cannot include a counter statement in a logged batch");
    }
    for (ModificationPlan plan : plans) {
      if (isCounting(plan)) {
        ModificationPlanner.refuseUsing(plan.using());
      }
    }
  }

  private static boolean isCounting(ModificationPlan plan) {
    return plan.table().isCounter();
  }

  private static @Nullable TableSchema onlyTable(List<ModificationPlan> plans) {
    TableSchema table = plans.isEmpty() ? null : plans.getFirst().table();
    for (ModificationPlan plan : plans) {
      if (plan.table() != table) {
        return null;
      }
    }
    return table;
  }
}
