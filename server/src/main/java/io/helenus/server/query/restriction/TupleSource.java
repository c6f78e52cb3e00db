package io.helenus.server.query.restriction;

/**
 * The values that a relation compares its columns with: one slot per column, or one slot with a
 * bound tuple. Immutable (the array must not be modified); any thread.
 *
 * @param slots one per column; empty for a bound tuple
 * @param tupleSlot the slot of the bound tuple; -1 if values have their own slots
 * @param element the index of the only element of the tuple to use; -1 for all
 */
public record TupleSource(int[] slots, int tupleSlot, int element) {
  public static TupleSource of(int... slots) {
    return new TupleSource(slots, -1, -1);
  }

  static TupleSource tuple(int slot) {
    return new TupleSource(new int[0], slot, -1);
  }

  /** One element of this tuple. */
  TupleSource element(int index) {
    return new TupleSource(slots, tupleSlot, index);
  }

  /** Whether the values are those of a bound tuple. */
  public boolean isTuple() {
    return tupleSlot >= 0;
  }
}
