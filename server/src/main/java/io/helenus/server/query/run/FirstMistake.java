package io.helenus.server.query.run;

import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.plan.KeyLayout;
import io.helenus.server.query.plan.ModificationPlan;
import io.helenus.server.query.plan.Restriction;
import io.helenus.server.query.plan.RowFilter;
import io.helenus.server.query.plan.SelectPlan;
import io.helenus.server.query.plan.TokenRestriction;
import io.helenus.server.query.plan.TupleSource;
import io.helenus.server.query.plan.ValueSlots;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the values of a statement that was refused once more, in the order in which
 * Cassandra looks at them, so that of several mistakes the one is told that it tells; and finds the
 * statements that need no look at the rest, because an IN without values or an empty range leaves
 * nothing to do. Slow; only for what failed. One per shard.
 */
final class FirstMistake {
  private final ExpressionEvaluator evaluator;
  private final ClusteringRanges ranges = new ClusteringRanges();

  FirstMistake(ExpressionEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  /** The values of one statement, bound one after the other. */
  private final class Walk {
    private final ValueSlots slots;
    private final BoundValues values;
    private final BoundSlots bound = new BoundSlots(evaluator);

    Walk(ValueSlots slots, BoundValues values) {
      this.slots = slots;
      this.values = values;
      bound.reserve(slots.count());
    }

    void bind(int slot) {
      if (slot >= 0) {
        bound.bindOne(slots, slot, values);
      }
    }

    void bind(TupleSource source) {
      bind(source.tupleSlot());
      for (int slot : source.slots()) {
        bind(slot);
      }
    }

    void bind(Restriction.@Nullable Bound end) {
      if (end != null) {
        bind(end.value());
      }
    }

    void bind(Restriction restriction) {
      switch (restriction) {
        case Restriction.Equal equal -> bind(equal.value());
        case Restriction.In in -> {
          bind(in.listSlot());
          in.values().forEach(this::bind);
          if (in.listSlot() >= 0) {
            // all elements are taken apart before any is looked at
            InValuesReader.forEach(in, bound, new TupleValues(), ignored -> {});
          }
        }
        case Restriction.Slice slice -> {
          bind(slice.lower());
          bind(slice.upper());
        }
      }
    }

    void bindKey(List<Restriction> partitionKey) {
      for (Restriction restriction : partitionKey) {
        bind(restriction);
        int ignored = PartitionList.values(restriction, bound).size();
      }
    }

    void bindClustering(List<Restriction> clustering, KeyLayout keys) {
      for (int i = 0; i < clustering.size(); i++) {
        bind(clustering.get(i));
        ranges.build(clustering.subList(0, i + 1), keys, bound);
      }
    }

    void bindAll() {
      for (int slot = 0; slot < slots.count(); slot++) {
        bind(slot);
      }
    }
  }

  /**
   * Throws the first mistake of a modification.
   *
   * @return whether it turns out to have nothing to do
   */
  boolean hasNothingToDo(ModificationPlan plan, BoundValues values, long micros, long now) {
    Walk walk = new Walk(plan.slots(), values);
    bindTimestamp(walk, plan, micros);
    bindKeys(walk, plan);
    return rowsHaveNothingToDo(walk, plan, micros, now);
  }

  /** Throws the first mistake of a batch, if any; the partition keys of all statements go first. */
  void findIn(List<BatchRunner.Statement> statements, long micros, long now) {
    findInKeys(statements);
    for (BatchRunner.Statement statement : statements) {
      Walk walk = new Walk(statement.plan().slots(), statement.values());
      walk.bindKey(statement.plan().partitionKey());
      boolean ignored = rowsHaveNothingToDo(walk, statement.plan(), micros, now);
    }
  }

  /** Throws the first mistake in the partition keys of a batch, if any. */
  void findInKeys(List<BatchRunner.Statement> statements) {
    for (BatchRunner.Statement statement : statements) {
      bindKeys(new Walk(statement.plan().slots(), statement.values()), statement.plan());
    }
  }

  private static void bindTimestamp(Walk walk, ModificationPlan plan, long micros) {
    if (plan.timestampSlot() >= 0) {
      walk.bind(plan.timestampSlot());
      long ignored = WriteTimes.timestamp(walk.bound, plan.timestampSlot(), micros);
    }
  }

  private static void bindKeys(Walk walk, ModificationPlan plan) {
    walk.bindKey(plan.partitionKey());
    int ignored = PartitionList.of(plan.partitionKey(), plan.keys(), walk.bound).size();
  }

  private boolean rowsHaveNothingToDo(Walk walk, ModificationPlan plan, long micros, long now) {
    if (!plan.clustering().isEmpty()) {
      walk.bindClustering(plan.clustering(), plan.keys());
      if (ranges.count() == 0) {
        return true;
      }
    }
    bindTimestamp(walk, plan, micros);
    walk.bind(plan.ttlSlot());
    new WriteTimes().fill(plan, walk.bound, micros, now);
    if (PartitionList.of(plan.partitionKey(), plan.keys(), walk.bound).isEmpty()) {
      return true;
    }
    bindCells(walk, plan.regularCells());
    bindCells(walk, plan.staticCells());
    return false;
  }

  /** Binds the values of cells in the order of the text, which is that of their slots. */
  private static void bindCells(Walk walk, ModificationPlan.Cells cells) {
    int[] slots = cells.slots().clone();
    Arrays.sort(slots);
    for (int slot : slots) {
      if (slot != ModificationPlan.DELETED) {
        walk.bind(slot);
      }
    }
  }

  /**
   * Throws the first mistake of a SELECT.
   *
   * @return whether it turns out to have no rows
   */
  boolean hasNoRows(SelectPlan plan, BoundValues values) {
    Walk walk = new Walk(plan.slots(), values);
    for (int slot : new int[] {plan.limitSlot(), plan.perPartitionLimitSlot()}) {
      walk.bind(slot);
      int ignored = SelectRunner.limit(slot, walk.bound);
    }
    RowFilters filters = new RowFilters();
    for (RowFilter filter : plan.filters()) {
      walk.bind(filter.restriction());
      filters.bind(List.of(filter), walk.bound);
    }
    boolean severalKeys = false;
    if (!plan.where().isKeyRange()) {
      walk.bindKey(plan.where().partitionKey());
      for (Restriction restriction : plan.where().partitionKey()) {
        if (PartitionList.values(restriction, walk.bound).isEmpty()) {
          return !plan.isSingleGroup();
        }
      }
      if (namesNoPartition(plan, walk)) {
        return !plan.isSingleGroup();
      }
      severalKeys = plan.ordersPartitions();
    }
    if (hasNoRanges(plan, walk)) {
      return !severalKeys || !plan.isSingleGroup();
    }
    if (!plan.where().isKeyRange()) {
      int ignored = partitions(plan, walk).size();
    }
    walk.bindAll();
    return false;
  }

  /** Whether none of the keys that are named has a token that is asked for. */
  private static boolean namesNoPartition(SelectPlan plan, Walk walk) {
    TokenRestriction token = plan.where().token();
    if (token == null) {
      return false;
    }
    walk.bind(token.equalSlot());
    walk.bind(token.lowerSlot());
    walk.bind(token.upperSlot());
    return partitions(plan, walk).isEmpty();
  }

  private static List<PartitionList.Partition> partitions(SelectPlan plan, Walk walk) {
    return PartitionList.of(
        plan.where().partitionKey(),
        plan.keys(),
        walk.bound,
        TokenBounds.ofNamed(plan.where().token(), walk.bound));
  }

  /** Whether the clustering columns are in a range that is empty whatever the rows. */
  private boolean hasNoRanges(SelectPlan plan, Walk walk) {
    List<Restriction> clustering = plan.where().clustering();
    walk.bindClustering(clustering, plan.keys());
    // an IN without values still has the static row, where that is asked for
    return !clustering.isEmpty()
        && ranges.count() == 0
        && (clustering.getLast() instanceof Restriction.Slice
            || plan.readColumns().staticCount() == 0);
  }
}
