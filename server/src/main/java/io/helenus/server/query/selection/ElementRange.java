package io.helenus.server.query.selection;

import io.helenus.server.schema.ColumnSchema;
import java.util.Arrays;

/**
 * The elements of a multi-cell collection that a selection reads: one, or those between two ends,
 * inclusive, perhaps of a slice that has ends of its own. Immutable; any thread.
 */
final class ElementRange {
  private static final int[] OPEN = {};

  private final ColumnSchema column;
  private final int[] lowerSlots;
  private final int[] upperSlots;

  private ElementRange(ColumnSchema column, int[] lowerSlots, int[] upperSlots) {
    this.column = column;
    this.lowerSlots = lowerSlots;
    this.upperSlots = upperSlots;
  }

  /** All elements. */
  static ElementRange all(ColumnSchema column) {
    return new ElementRange(column, OPEN, OPEN);
  }

  /** Those of these elements whose paths are between the values in two slots; -1 for no end. */
  ElementRange between(int lowerSlot, int upperSlot) {
    return new ElementRange(column, with(lowerSlots, lowerSlot), with(upperSlots, upperSlot));
  }

  private static int[] with(int[] slots, int slot) {
    if (slot < 0) {
      return slots;
    }
    int[] more = Arrays.copyOf(slots, slots.length + 1);
    more[slots.length] = slot;
    return more;
  }

  ColumnSchema column() {
    return column;
  }

  /** How many first paths there are, of which the highest counts. */
  int lowerCount() {
    return lowerSlots.length;
  }

  int lowerSlot(int index) {
    return lowerSlots[index];
  }

  /** How many last paths there are, of which the lowest counts. */
  int upperCount() {
    return upperSlots.length;
  }

  int upperSlot(int index) {
    return upperSlots[index];
  }
}
