package io.helenus.server.query.modification;

import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.RestrictionChecks;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.ValueCheck;
import io.helenus.server.query.value.ValueCheck.Outcome;
import io.helenus.server.query.value.ValueWalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order in which Cassandra checks the values of a modification or a batch, for those that were
 * refused. One per shard.
 */
public final class ModificationChecks {
  private final ExpressionEvaluator evaluator;

  public ModificationChecks(ExpressionEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  /**
   * Throws the first mistake of a modification.
   *
   * @return whether it turns out to have nothing to do
   */
  boolean hasNothingToDo(ModificationPlan plan, BoundValues values, long micros, long now) {
    List<ValueCheck> checks = new ArrayList<>();
    checks.add(timestamp(plan, micros));
    addKeys(plan, checks);
    addRows(plan, micros, now, checks);
    return walk(plan, values).hasNothingToDo(checks);
  }

  /**
   * Throws the first mistake of a batch, if any; the partition keys of all statements come first.
   */
  void requireValid(List<BatchRunner.Statement> statements, long micros, long now) {
    requireValidKeys(statements);
    for (BatchRunner.Statement statement : statements) {
      ModificationPlan plan = statement.plan();
      List<ValueCheck> checks = new ArrayList<>();
      checks.add(RestrictionChecks.partitionKeyValues(plan.partitionKey()));
      addRows(plan, micros, now, checks);
      boolean ignored = walk(plan, statement.values()).hasNothingToDo(checks);
    }
  }

  /** Throws the first mistake in the partition keys of a batch, if any. */
  void requireValidKeys(List<BatchRunner.Statement> statements) {
    for (BatchRunner.Statement statement : statements) {
      List<ValueCheck> checks = new ArrayList<>();
      addKeys(statement.plan(), checks);
      boolean ignored = walk(statement.plan(), statement.values()).hasNothingToDo(checks);
    }
  }

  private ValueWalk walk(ModificationPlan plan, BoundValues values) {
    return new ValueWalk(plan.slots(), values, evaluator);
  }

  private static ValueCheck timestamp(ModificationPlan plan, long micros) {
    return values -> {
      if (plan.timestampSlot() >= 0) {
        values.bind(plan.timestampSlot());
        long ignored = WriteTimes.timestamp(values.bound(), plan.timestampSlot(), micros);
      }
      return Outcome.CONTINUE;
    };
  }

  private static void addKeys(ModificationPlan plan, List<ValueCheck> checks) {
    checks.add(RestrictionChecks.partitionKeyValues(plan.partitionKey()));
    checks.add(RestrictionChecks.partitionKeys(plan.partitionKey(), plan.keys()));
  }

  private static void addRows(
      ModificationPlan plan, long micros, long now, List<ValueCheck> checks) {
    checks.add(clustering(plan));
    checks.add(timestamp(plan, micros));
    checks.add(
        values -> {
          values.bind(plan.ttlSlot());
          new WriteTimes().fill(plan, values.bound(), micros, now);
          return PartitionList.of(plan.partitionKey(), plan.keys(), values.bound()).isEmpty()
              ? Outcome.NOTHING_TO_DO
              : Outcome.CONTINUE;
        });
    checks.add(cells(plan.regularCells()));
    checks.add(cells(plan.staticCells()));
  }

  private static ValueCheck clustering(ModificationPlan plan) {
    return values ->
        !plan.clustering().isEmpty()
                && RestrictionChecks.clusteringRanges(plan.clustering(), plan.keys(), values)
                        .count()
                    == 0
            ? Outcome.NOTHING_TO_DO
            : Outcome.CONTINUE;
  }

  /** The values of cells in the order of the text, which is that of their slots. */
  private static ValueCheck cells(ModificationPlan.Cells cells) {
    return values -> {
      int[] slots = cells.slots().clone();
      Arrays.sort(slots);
      for (int slot : slots) {
        values.bind(slot);
      }
      return Outcome.CONTINUE;
    };
  }
}
