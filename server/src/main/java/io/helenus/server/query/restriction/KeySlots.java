package io.helenus.server.query.restriction;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of key columns if all of them are restricted by {@code =} and not by a bound tuple, so
 * that the hot path can build keys without evaluating restrictions. Immutable (the arrays must not
 * be modified); any thread.
 *
 * @param partition one slot for each partition key column; null if they are restricted otherwise
 * @param clustering one slot for each restricted clustering column; null if one is restricted
 *     otherwise
 */
public record KeySlots(int @Nullable [] partition, int @Nullable [] clustering) {
  /** Determines the slots of a WHERE clause. */
  public static KeySlots of(WherePlan where) {
    return new KeySlots(
        where.isKeyRange() ? null : ofEqual(where.partitionKey()), ofEqual(where.clustering()));
  }

  private static int @Nullable [] ofEqual(List<Restriction> restrictions) {
    int count = 0;
    for (Restriction restriction : restrictions) {
      if (!(restriction instanceof Restriction.Equal equal) || equal.value().isTuple()) {
        return null;
      }
      count += equal.columns().size();
    }
    int[] slots = new int[count];
    int at = 0;
    for (Restriction restriction : restrictions) {
      if (restriction instanceof Restriction.Equal equal) {
        for (int slot : equal.value().slots()) {
          slots[at++] = slot;
        }
      }
    }
    return slots;
  }

  /** The slots of all the values, other than bound lists, of restrictions by = and IN. */
  public static int[] ofListed(List<Restriction> restrictions) {
    IntStream.Builder slots = IntStream.builder();
    for (Restriction restriction : restrictions) {
      switch (restriction) {
        case Restriction.Equal equal -> add(equal.value(), slots);
        case Restriction.In in -> in.values().forEach(value -> add(value, slots));
        case Restriction.Contains ignored -> {}
        case Restriction.Slice ignored -> {}
      }
    }
    return slots.build().toArray();
  }

  private static void add(TupleSource value, IntStream.Builder slots) {
    for (int slot : value.slots()) {
      slots.add(slot);
    }
  }
}
