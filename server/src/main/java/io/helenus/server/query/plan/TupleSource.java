package io.helenus.server.query.plan;

/**
 * The values that a relation compares one or several columns with: one slot per column, or the slot
 * of one marker that holds them all as a tuple. Immutable.
 *
 * @param slots one per column; empty when a marker holds the tuple
 * @param tupleSlot the marker's slot, -1 when there is none
 */
public record TupleSource(int[] slots, int tupleSlot) {
  static TupleSource of(int... slots) {
    return new TupleSource(slots, -1);
  }

  static TupleSource tuple(int slot) {
    return new TupleSource(new int[0], slot);
  }

  /** Whether one marker holds all values. */
  public boolean isTuple() {
    return tupleSlot >= 0;
  }
}
