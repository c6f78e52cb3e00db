package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.RestrictionChecks;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.ValueCheck;
import io.helenus.server.query.value.ValueCheck.Outcome;
import io.helenus.server.query.value.ValueWalk;
import io.helenus.server.query.value.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values of a rejected modification or batch again, in Cassandra's order, so that of
 * several mistakes the client sees the one that Cassandra reports. One per shard; shard thread
 * only.
 */
public final class ModificationChecks {
  private final ExpressionEvaluator evaluator;

  /**
   * Whether the lists that a modification changes can be read, which is asked before it changes
   * them.
   */
  @FunctionalInterface
  interface ListReadCheck {
    /** For a modification whose lists are not read by themselves. */
    ListReadCheck NONE = (plan, partitions) -> {};

    /**
     * Checks the consistency level.
     *
     * @throws CqlException if the lists in these partitions cannot be read at the level
     */
    void require(ModificationPlan plan, List<PartitionList.Partition> partitions);
  }

  /** Creates checks whose expressions are computed by this evaluator. */
  public ModificationChecks(ExpressionEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  /** Checks a modification. */
  Verdict check(ModificationPlan plan, BoundValues values, long micros, long now) {
    return check(plan, values, micros, now, ListReadCheck.NONE);
  }

  /** The same for a modification that may read lists. */
  Verdict check(
      ModificationPlan plan, BoundValues values, long micros, long now, ListReadCheck listRead) {
    List<ValueCheck> checks = new ArrayList<>();
    checks.add(timestamp(plan));
    addKeys(plan, checks);
    addRows(plan, micros, now, listRead, checks);
    return walk(plan, values).check(checks);
  }

  /**
   * The same for a statement of a batch. Its timestamp is not read if the statement has no effect.
   */
  Verdict checkInBatch(ModificationPlan plan, BoundValues values, long micros, long now) {
    List<ValueCheck> checks = new ArrayList<>();
    addKeys(plan, checks);
    addRows(plan, micros, now, ListReadCheck.NONE, checks);
    return walk(plan, values).check(checks);
  }

  /** The first mistake of a batch; null if there is none. Partition keys precede the rest. */
  @Nullable CqlException mistake(
      List<BatchStatement> statements, long micros, long now, ListReadCheck listRead) {
    CqlException mistake = mistakeInKeys(statements);
    if (mistake != null) {
      return mistake;
    }
    for (BatchStatement statement : statements) {
      ModificationPlan plan = statement.plan();
      List<ValueCheck> checks = new ArrayList<>();
      checks.add(RestrictionChecks.partitionKeyValues(plan.partitionKey()));
      addRows(plan, micros, now, listRead, checks);
      mistake = walk(plan, statement.values()).check(checks).mistake();
      if (mistake != null) {
        return mistake;
      }
    }
    return null;
  }

  /** The first mistake in the partition keys of a batch; null if there is none. */
  @Nullable CqlException mistakeInKeys(List<BatchStatement> statements) {
    for (BatchStatement statement : statements) {
      List<ValueCheck> checks = new ArrayList<>();
      addKeys(statement.plan(), checks);
      CqlException mistake = walk(statement.plan(), statement.values()).check(checks).mistake();
      if (mistake != null) {
        return mistake;
      }
    }
    return null;
  }

  /** The values of a plan, with none bound. */
  ValueWalk walk(ModificationPlan plan, BoundValues values) {
    return new ValueWalk(plan.slots(), values, evaluator);
  }

  private static ValueCheck timestamp(ModificationPlan plan) {
    return values -> {
      bind(plan.using().timestampSlot(), values);
      plan.using().requireTimestamp(values.bound());
      return Outcome.CONTINUE;
    };
  }

  private static void addKeys(ModificationPlan plan, List<ValueCheck> checks) {
    checks.add(RestrictionChecks.partitionKeyValues(plan.partitionKey()));
    checks.add(RestrictionChecks.partitionKeys(plan.partitionKey(), plan.keys()));
  }

  /** Adds the checks of everything but the partition key. */
  static void addRows(
      ModificationPlan plan,
      long micros,
      long now,
      ListReadCheck listRead,
      List<ValueCheck> checks) {
    checks.add(clustering(plan));
    if (!plan.rewrites().isEmpty()) {
      checks.add(
          values -> {
            listRead.require(
                plan, PartitionList.of(plan.partitionKey(), plan.keys(), values.bound()));
            return Outcome.CONTINUE;
          });
    }
    checks.add(timestamp(plan));
    checks.add(
        values -> {
          bind(plan.using().ttlSlot(), values);
          new WriteTimes().fill(plan, values.bound(), micros, now);
          return PartitionList.of(plan.partitionKey(), plan.keys(), values.bound()).isEmpty()
              ? Outcome.NOTHING_TO_DO
              : Outcome.CONTINUE;
        });
    checks.add(clusteringIsNotEmpty(plan));
    checks.add(cells(plan.regularCells()));
    checks.add(cells(plan.staticCells()));
    addSums(plan.sums().regular(), checks);
    addSums(plan.sums().statics(), checks);
    if (!plan.rewrites().isEmpty()) {
      checks.add(
          values -> {
            Stream.concat(plan.rewrites().statics().stream(), plan.rewrites().regular().stream())
                .flatMap(rewrite -> Arrays.stream(rewrite.changes()))
                .flatMapToInt(ModificationChecks::slots)
                .sorted()
                .forEach(values::bind);
            ListRewrites.check(plan.rewrites(), values.bound());
            return Outcome.CONTINUE;
          });
    }
  }

  private static void addSums(List<CellOperation.Sum> sums, List<ValueCheck> checks) {
    for (CellOperation.Sum sum : sums) {
      checks.add(
          values -> {
            slots(sum).forEach(values::bind);
            List<byte[]> ignored = ValueSums.values(sum, values.bound());
            return Outcome.CONTINUE;
          });
    }
  }

  private static ValueCheck clustering(ModificationPlan plan) {
    return values ->
        !plan.clustering().isEmpty()
                && RestrictionChecks.clusteringRanges(
                            plan.clustering(), plan.keys(), values, new ClusteringRanges())
                        .count()
                    == 0
            ? Outcome.NOTHING_TO_DO
            : Outcome.CONTINUE;
  }

  private static ValueCheck clusteringIsNotEmpty(ModificationPlan plan) {
    return values -> {
      boolean rows =
          switch (plan.action()) {
            case INSERT, SET_CELLS, DELETE_ROWS -> plan.writesRows();
            case DELETE_RANGES, DELETE_PARTITION -> false;
          };
      if (rows && plan.table().isCompact()) {
        ClusteringRanges ranges =
            RestrictionChecks.clusteringRanges(
                plan.clustering(), plan.keys(), values, new ClusteringRanges());
        for (int i = 0; i < ranges.count(); i++) {
          EntryWriter.refuseEmptyKey(plan, ranges.segment(), ranges.lowerOffset(i));
        }
      }
      return Outcome.CONTINUE;
    };
  }

  private static void bind(@Nullable Integer slot, ValueWalk values) {
    if (slot != null) {
      values.bind(slot);
    }
  }

  /**
   * Checks the values of cells in the order of their slots, which is that of the statement's text.
   */
  private static ValueCheck cells(CellOperation[] cells) {
    return values -> {
      Arrays.stream(cells).flatMapToInt(ModificationChecks::slots).sorted().forEach(values::bind);
      for (CellOperation cell : cells) {
        if (cell instanceof CellOperation.ChangeCollection change) {
          boolean ignored = CollectionWriter.writes(change, values.bound());
        } else if (cell instanceof CellOperation.Count count
            && CounterDelta.isSet(count, values.bound())) {
          long ignored = CounterDelta.of(count, values.bound());
        }
      }
      return Outcome.CONTINUE;
    };
  }

  private static IntStream slots(CellOperation cell) {
    return switch (cell) {
      case CellOperation.Set set -> IntStream.of(set.slot());
      case CellOperation.ChangeCollection(var ignored, var alsoIgnored, ElementChange[] changes) ->
          Arrays.stream(changes).flatMapToInt(ModificationChecks::slots);
      case CellOperation.ChangeFields(var ignored, FieldChange[] changes) ->
          Arrays.stream(changes).flatMapToInt(ModificationChecks::slots);
      case CellOperation.Count count ->
          Arrays.stream(count.changes()).mapToInt(CellOperation.Count.Change::slot);
      case CellOperation.Sum sum -> Arrays.stream(sum.slots());
      case CellOperation.KeepForm keep -> IntStream.of(keep.slot());
      case CellOperation.Delete ignored -> IntStream.empty();
    };
  }

  private static IntStream slots(FieldChange change) {
    return switch (change) {
      case FieldChange.Replace(int slot) -> IntStream.of(slot);
      case FieldChange.Set(int ignored, int slot) -> IntStream.of(slot);
      case FieldChange.Clear ignored -> IntStream.empty();
      case FieldChange.Delete ignored -> IntStream.empty();
    };
  }

  private static IntStream slots(ElementChange change) {
    return switch (change) {
      case ElementChange.Replace(int slot) -> IntStream.of(slot);
      case ElementChange.Clear ignored -> IntStream.empty();
      case ElementChange.Add(int slot) -> IntStream.of(slot);
      case ElementChange.Prepend(int slot) -> IntStream.of(slot);
      case ElementChange.Remove(int slot) -> IntStream.of(slot);
      case ElementChange.Put(int keySlot, int slot) -> IntStream.of(keySlot, slot);
      case ElementChange.RemoveOne(int keySlot) -> IntStream.of(keySlot);
      case ElementChange.SetAt(int indexSlot, int slot) -> IntStream.of(indexSlot, slot);
      case ElementChange.RemoveAt(int indexSlot) -> IntStream.of(indexSlot);
      case ElementChange.RemoveValues(int slot) -> IntStream.of(slot);
    };
  }
}
