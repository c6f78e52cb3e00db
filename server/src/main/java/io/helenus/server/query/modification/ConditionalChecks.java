package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.condition.ConditionPlan;
import io.helenus.server.query.condition.ConditionTest;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.RestrictionChecks;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.query.value.ValueCheck;
import io.helenus.server.query.value.ValueWalk;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values of a rejected conditional statement or batch again, in Cassandra's order: first
 * the keys and conditions of all its statements. The values to be written are checked only if the
 * conditions hold.
 */
final class ConditionalChecks {
  private final ModificationChecks checks;

  ConditionalChecks(ModificationChecks checks) {
    this.checks = checks;
  }

  /**
   * Throws the first mistake in the keys and conditions, if any.
   *
   * @param test takes the conditions
   * @return the partition of the statements
   */
  PartitionList.Partition requireValid(
      List<BatchStatement> statements, boolean batch, ConditionTest test) {
    PartitionList.@Nullable Partition partition = null;
    for (BatchStatement statement : statements) {
      ModificationPlan plan = statement.plan();
      ValueWalk values = checks.walk(plan, statement.values());
      List<ValueCheck> keys = new ArrayList<>();
      keys.add(RestrictionChecks.partitionKeyValues(plan.partitionKey()));
      keys.add(RestrictionChecks.partitionKeys(plan.partitionKey(), plan.keys()));
      values.check(keys).requireNoMistake();
      refuseInPartitionKey(plan, batch);
      PartitionList.Partition own =
          PartitionList.of(plan.partitionKey(), plan.keys(), values.bound()).getFirst();
      partition = partition == null ? own : requireSame(partition, own);
      refuseInClustering(plan);
      ClusteringRanges ranges =
          RestrictionChecks.clusteringRanges(
              plan.clustering(), plan.keys(), values, new ClusteringRanges());
      ConditionPlan condition = plan.condition();
      if (condition != null) {
        test.add(condition, plan.writesRows() ? rowSuffix(plan, ranges, values) : null, values);
      }
    }
    if (partition == null) {
      throw new IllegalArgumentException("a batch without statements");
    }
    return partition;
  }

  private static byte[] rowSuffix(
      ModificationPlan plan, ClusteringRanges ranges, ValueWalk values) {
    ranges.buildRows(plan.clustering(), plan.keys(), values.bound());
    return Bytes.toArray(ranges.segment(), ranges.lowerOffset(0), ranges.lowerLength(0));
  }

  /** The first mistake in the values to be written; null if there is none. */
  @Nullable CqlException mistakeInValues(List<BatchStatement> statements, long now) {
    for (BatchStatement statement : statements) {
      ModificationPlan plan = statement.plan();
      List<ValueCheck> rows = new ArrayList<>();
      rows.add(RestrictionChecks.partitionKeyValues(plan.partitionKey()));
      ModificationChecks.addRows(
          plan,
          ConditionalWrite.PLACEHOLDER_MICROS,
          now,
          ModificationChecks.ListReadCheck.NONE,
          rows);
      CqlException mistake = checks.walk(plan, statement.values()).check(rows).mistake();
      if (mistake != null) {
        return mistake;
      }
    }
    return null;
  }

  /** Rejects two statements of a batch with different partitions; returns the common one. */
  static PartitionList.Partition requireSame(
      PartitionList.Partition partition, PartitionList.Partition own) {
    if (!Arrays.equals(partition.prefix(), own.prefix())) {
      throw CqlException.invalid("Batch with conditions cannot span multiple partitions");
    }
    return partition;
  }

  /** Rejects IN on the partition key. */
  static void refuseInPartitionKey(ModificationPlan plan, boolean batch) {
    if (hasIn(plan.partitionKey())) {
      throw CqlException.invalid(
          batch
              ? "Batch with conditions cannot span multiple partitions (you cannot use IN on the"
                  + " partition key)"
              : "IN on the partition key is not supported with conditional " + statements(plan));
    }
  }

  /** Rejects IN on clustering columns. */
  static void refuseInClustering(ModificationPlan plan) {
    if (hasIn(plan.clustering())) {
      throw CqlException.invalid(
          "IN on the clustering key columns is not supported with conditional " + statements(plan));
    }
  }

  private static String statements(ModificationPlan plan) {
    return switch (plan.action()) {
      case INSERT, SET_CELLS -> plan.statement() == StatementKind.DELETE ? "deletions" : "updates";
      case DELETE_ROWS, DELETE_RANGES, DELETE_PARTITION -> "deletions";
    };
  }

  private static boolean hasIn(List<Restriction> restrictions) {
    return restrictions.stream().anyMatch(Restriction.In.class::isInstance);
  }
}
