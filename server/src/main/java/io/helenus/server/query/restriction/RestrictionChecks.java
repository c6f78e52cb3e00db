package io.helenus.server.query.restriction;

import io.helenus.server.query.value.ValueCheck;
import io.helenus.server.query.value.ValueCheck.Outcome;
import io.helenus.server.query.value.ValueWalk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of the values in the WHERE clause of rejected statements. Stateless; any thread. */
public final class RestrictionChecks {
  private RestrictionChecks() {}

  /** Binds the values of one restriction and splits a bound IN list. */
  public static void bind(Restriction restriction, ValueWalk values) {
    switch (restriction) {
      case Restriction.Equal equal -> bind(equal.value(), values);
      case Restriction.In in -> {
        values.bind(in.listSlot());
        TupleValues scratch = new TupleValues();
        for (TupleSource each : in.values()) {
          bind(each, values);
          if (in.isTuple()) {
            scratch.fill(each, values.bound());
          }
        }
        if (in.listSlot() >= 0) {
          InValuesReader.forEach(in, values.bound(), scratch, ignored -> {});
        }
      }
      case Restriction.Contains contains ->
          contains
              .parts()
              .forEach(
                  part -> {
                    values.bind(part.keySlot());
                    values.bind(part.valueSlot());
                  });
      case Restriction.Slice slice -> {
        bind(slice.lower(), values);
        bind(slice.upper(), values);
      }
    }
  }

  private static void bind(Restriction.@Nullable Bound end, ValueWalk values) {
    if (end != null) {
      bind(end.value(), values);
    }
  }

  private static void bind(TupleSource source, ValueWalk values) {
    values.bind(source.tupleSlot());
    int[] slots = source.slots();
    for (int i = 0; i < slots.length; i++) {
      values.bind(slots[i]);
      if (slots.length > 1) {
        TupleValues.requireSetField(i, values.bound().length(slots[i]));
      }
    }
  }

  /** Checks the values of the partition key columns in turn, up to an IN without values. */
  public static ValueCheck partitionKeyValues(List<Restriction> partitionKey) {
    return values -> {
      for (Restriction restriction : partitionKey) {
        bind(restriction, values);
        if (PartitionList.values(restriction, values.bound()).isEmpty()) {
          break;
        }
      }
      return Outcome.CONTINUE;
    };
  }

  /** Checks the partition keys formed by values that are already bound. */
  public static ValueCheck partitionKeys(List<Restriction> partitionKey, KeyLayout keys) {
    return values -> {
      int ignored = PartitionList.of(partitionKey, keys, values.bound()).size();
      return Outcome.CONTINUE;
    };
  }

  /**
   * Checks the values of clustering columns, one restriction at a time, up to one that selects
   * nothing.
   *
   * @param ranges where they are built
   * @return the ranges
   */
  public static ClusteringRanges clusteringRanges(
      List<Restriction> clustering, KeyLayout keys, ValueWalk values, ClusteringRanges ranges) {
    for (int i = 0; i < clustering.size(); i++) {
      bind(clustering.get(i), values);
      ranges.build(clustering.subList(0, i + 1), keys, values.bound());
      if (ranges.count() == 0) {
        break;
      }
    }
    return ranges;
  }
}
