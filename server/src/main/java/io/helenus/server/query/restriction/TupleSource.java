package io.helenus.server.query.restriction;

/**
 * The values that a relation compares one or several columns with: one slot per column, or the slot
 * of one marker that holds them all as a tuple. Immutable.
 *
 * @param slots one per column; empty when a marker holds the tuple
 * @param tupleSlot the marker's slot, -1 when there is none
 * @param element which of the marker's values alone is meant, -1 for all
 */
public record TupleSource(int[] slots, int tupleSlot, int element) {
  static TupleSource of(int... slots) {
    return new TupleSource(slots, -1, -1);
  }

  static TupleSource tuple(int slot) {
    return new TupleSource(new int[0], slot, -1);
  }

  /** One value of the tuple that a marker holds. */
  static TupleSource element(int slot, int element) {
    return new TupleSource(new int[0], slot, element);
  }

  /** Whether one marker holds all values. */
  public boolean isTuple() {
    return tupleSlot >= 0;
  }
}
