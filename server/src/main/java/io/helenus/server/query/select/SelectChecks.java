package io.helenus.server.query.select;

import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.InProducts;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.RestrictionChecks;
import io.helenus.server.query.restriction.RowFilters;
import io.helenus.server.query.restriction.TokenRestriction;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.ValueCheck;
import io.helenus.server.query.value.ValueCheck.Outcome;
import io.helenus.server.query.value.ValueWalk;
import io.helenus.server.query.value.Verdict;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.CompactStorage;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rechecks the values of a rejected SELECT in Cassandra's order, to report the same error. One per
 * shard.
 */
public final class SelectChecks {
  private final ExpressionEvaluator evaluator;

  public SelectChecks(ExpressionEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  /**
   * Checks a SELECT, which has no effect if it cannot match any rows.
   *
   * @param refusal the error if any partition is read, whatever the values; null if there is none
   * @param level the consistency level of the request
   */
  Verdict check(
      SelectPlan plan, BoundValues values, @Nullable CqlException refusal, ConsistencyLevel level) {
    List<ValueCheck> checks = new ArrayList<>();
    Limits limits = plan.limits();
    checks.add(limit(limits.rowsSlot(), limits::rows));
    checks.add(limit(limits.perPartitionSlot(), limits::perPartition));
    checks.add(
        walk -> {
          plan.selection().checkValues(walk, values);
          computeConstants(plan, values);
          return Outcome.CONTINUE;
        });
    if (plan.ordering().nearest() != null) {
      checks.add(
          walk -> {
            NearestRules.requireRows(plan, level);
            NearestRules.requireLimit(plan, limits.rows(walk.bound()));
            return Outcome.CONTINUE;
          });
    }
    addFilters(plan, checks);
    if (!plan.where().isKeyRange()) {
      checks.add(RestrictionChecks.partitionKeyValues(plan.where().partitionKey()));
      checks.add(namedPartitions(plan));
    }
    checks.add(clustering(plan));
    if (!plan.where().isKeyRange()) {
      checks.add(
          walk -> {
            List<PartitionList.Partition> ignored =
                PartitionList.of(
                    plan.where().partitionKey(), plan.keys(), plan.where().token(), walk.bound());
            return Outcome.CONTINUE;
          });
    }
    checks.add(
        walk -> {
          if (InProducts.hasEmptyIn(plan.where().clustering(), walk.bound())) {
            return onlyStaticRows(plan, refusal);
          }
          walk.bindAll();
          return Outcome.RUNS;
        });
    return new ValueWalk(plan.slots(), values, evaluator).check(checks);
  }

  /**
   * Computes the calls in the selection that do not depend on rows, which are rejected even if
   * there are no rows.
   */
  void computeConstants(SelectPlan plan, BoundValues values) {
    for (Expression.Call call : plan.selection().constantCalls()) {
      byte[] ignored = evaluator.evaluate(call, values);
    }
  }

  private static Outcome onlyStaticRows(SelectPlan plan, @Nullable CqlException refusal) {
    if (refusal != null && !plan.isAggregate()) {
      throw refusal;
    }
    return Outcome.NOTHING_TO_DO;
  }

  /** The error of a SELECT that orders the rows of several partitions, and asks for pages. */
  static CqlException cannotPage() {
    return CqlException.invalid(
        "Cannot page queries with both ORDER BY and a IN restriction on the partition key; you"
            + " must either remove the ORDER BY or the IN and sort client side, or disable"
            + " paging for this query");
  }

  private static ValueCheck limit(@Nullable Integer slot, ToIntFunction<BoundSlots> limit) {
    return values -> {
      if (slot != null) {
        values.bind(slot);
      }
      int ignored = limit.applyAsInt(values.bound());
      return Outcome.CONTINUE;
    };
  }

  /** The filters, with the vector that rows are ordered by at the place of its column. */
  private static void addFilters(SelectPlan plan, List<ValueCheck> checks) {
    NearestOrder nearest = plan.ordering().nearest();
    for (Restriction filter : plan.where().filters()) {
      ColumnSchema column = filter.firstColumn();
      if (nearest != null
          && !column.isPrimaryKey()
          && column.name().compareTo(nearest.column()) > 0) {
        checks.add(vector(nearest));
        nearest = null;
      }
      checks.add(filter(filter));
    }
    if (nearest != null) {
      checks.add(vector(nearest));
    }
  }

  private static ValueCheck vector(NearestOrder nearest) {
    return values -> {
      values.bind(nearest.slot());
      NearestRules.requireSet(nearest, values.bound());
      return Outcome.CONTINUE;
    };
  }

  private static ValueCheck filter(Restriction filter) {
    return values -> {
      RowFilters.refuseTuples(filter);
      RestrictionChecks.bind(filter, values);
      new RowFilters().bind(List.of(filter), null, false, values.bound());
      return Outcome.CONTINUE;
    };
  }

  /** Checks whether there are keys and any of them has a requested token. */
  private static ValueCheck namedPartitions(SelectPlan plan) {
    return values -> {
      for (Restriction restriction : plan.where().partitionKey()) {
        if (PartitionList.values(restriction, values.bound()).isEmpty()) {
          return Outcome.NOTHING_TO_DO;
        }
      }
      TokenRestriction token = plan.where().token();
      if (token == null) {
        return Outcome.CONTINUE;
      }
      values.bind(token.equalSlot());
      values.bind(token.lowerSlot());
      values.bind(token.upperSlot());
      return PartitionList.isEmpty(plan.where().partitionKey(), plan.keys(), token, values.bound())
          ? Outcome.NOTHING_TO_DO
          : Outcome.CONTINUE;
    };
  }

  /** Checks whether the restrictions on the clustering columns can match any row. */
  private static ValueCheck clustering(SelectPlan plan) {
    if (readsNoValues(plan)) {
      return values -> Outcome.NOTHING_TO_DO;
    }
    List<Restriction> clustering = plan.where().clustering();
    return values -> {
      ClusteringRanges ranges =
          RestrictionChecks.clusteringRanges(
              clustering, plan.keys(), values, ClusteringRanges.ofRead());
      boolean empty = !clustering.isEmpty() && ranges.count() == 0 && !readsOnlyStaticRow(plan);
      return empty ? Outcome.NOTHING_TO_DO : Outcome.CONTINUE;
    };
  }

  /** Whether rows consist of columns of which the table has none any more. */
  private static boolean readsNoValues(SelectPlan plan) {
    TableSchema table = plan.table();
    return table.compactStorage() == CompactStorage.STATIC
        && table.staticColumns().isEmpty()
        && !plan.distinct();
  }

  /** Whether the static row is read even if an IN without values selects no rows. */
  static boolean readsOnlyStaticRow(SelectPlan plan) {
    return namesRows(plan) && fetchesStatics(plan);
  }

  /** Cassandra fetches all columns, also static ones, if only key columns are selected. */
  private static boolean fetchesStatics(SelectPlan plan) {
    ReadColumns columns = plan.readColumns();
    return columns.staticCount() > 0
        || columns.count() == 0 && !plan.table().staticColumns().isEmpty();
  }

  /** Whether every clustering column is restricted by = or IN. */
  private static boolean namesRows(SelectPlan plan) {
    int columns = 0;
    for (Restriction restriction : plan.where().clustering()) {
      if (restriction instanceof Restriction.Slice) {
        return false;
      }
      columns += restriction.columns().size();
    }
    return columns == plan.keys().clusteringCount();
  }
}
