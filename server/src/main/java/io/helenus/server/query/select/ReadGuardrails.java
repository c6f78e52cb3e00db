package io.helenus.server.query.select;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.guardrails.ValueList;
import io.helenus.server.query.restriction.InProducts;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The guardrails on SELECT. Immutable; any thread. */
final class ReadGuardrails {
  private final Guardrails guardrails;

  private ReadGuardrails(Guardrails guardrails) {
    this.guardrails = guardrails;
  }

  /** Returns the guardrails; null if none of them is on. */
  static @Nullable ReadGuardrails of(Guardrails guardrails) {
    boolean any =
        guardrails.has(ValueList.READ_CONSISTENCY_LEVELS)
            || guardrails.hasAny(
                Limit.PAGE_SIZE, Limit.PARTITION_KEYS_IN_SELECT, Limit.IN_SELECT_CARTESIAN_PRODUCT);
    return any ? new ReadGuardrails(guardrails) : null;
  }

  /**
   * Checks the consistency level.
   *
   * @throws CqlException if it is not allowed
   */
  void checkLevel(RunContext context) {
    guardrails.check(
        ValueList.READ_CONSISTENCY_LEVELS,
        List.of(context.parameters().consistency().name()),
        context::warn);
  }

  /**
   * Checks the bound values and the page size.
   *
   * @param limit the value of LIMIT
   * @throws CqlException if they violate a guardrail, or a bound list is invalid
   */
  void check(SelectPlan plan, BoundSlots bound, int limit, RunContext context) {
    WherePlan where = plan.where();
    String table = plan.table().name();
    if (!where.isKeyRange()) {
      if (!InProducts.check(
          where.partitionKey(), "partition key", bound, guardrails, context::warn)) {
        return;
      }
      if (where.hasPartitionKeyIn() && guardrails.hasAny(Limit.PARTITION_KEYS_IN_SELECT)) {
        int keys = PartitionList.of(where.partitionKey(), plan.keys(), bound).size();
        guardrails.check(Limit.PARTITION_KEYS_IN_SELECT, keys, table, context::warn);
      }
    }
    boolean matches =
        InProducts.namesRows(where.clustering(), plan.keys())
            ? InProducts.check(
                where.clustering(), "clustering key", bound, guardrails, context::warn)
            : !InProducts.hasEmptyIn(where.clustering(), bound);
    if (!matches) {
      return;
    }
    int pageSize = context.parameters().pageSize();
    if (pageSize > 0 && (plan.isAggregate() || limit > pageSize)) {
      guardrails.check(Limit.PAGE_SIZE, pageSize, table, context::warn);
    }
  }
}
