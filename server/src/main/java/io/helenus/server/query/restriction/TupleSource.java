package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;

/**
 * The values that a relation compares its columns with: one slot per column, or one slot with a
 * bound tuple. Immutable (the array must not be modified); any thread.
 *
 * @param slots one per column; empty for a bound tuple
 * @param tupleSlot the slot of the bound tuple; -1 if values have their own slots
 * @param tupleColumns the columns that the bound tuple is compared with; empty without one
 * @param element the index of the only element of the tuple to use; -1 for all
 */
public record TupleSource(
    int[] slots, int tupleSlot, List<ColumnSchema> tupleColumns, int element) {
  public static TupleSource of(int... slots) {
    return new TupleSource(slots, -1, List.of(), -1);
  }

  static TupleSource tuple(int slot, List<ColumnSchema> columns) {
    return new TupleSource(new int[0], slot, columns, -1);
  }

  /** One element of this tuple. */
  TupleSource element(int index) {
    return new TupleSource(slots, tupleSlot, tupleColumns, index);
  }

  /** Whether the values are those of a bound tuple. */
  public boolean isTuple() {
    return tupleSlot >= 0;
  }
}
