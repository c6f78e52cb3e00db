package io.helenus.server.query.plan;

import io.helenus.server.schema.ColumnSchema;
import java.util.TreeMap;

/** Gathers the cells that a modification writes, in column id order. One planning. */
final class CellsBuilder {
  private final TreeMap<Integer, Cell> regular = new TreeMap<>();
  private final TreeMap<Integer, Cell> statics = new TreeMap<>();

  private record Cell(int slot, int keyPosition) {}

  /** A cell of this column; of two the later one counts. */
  void put(ColumnSchema column, int slot) {
    (column.isStatic() ? statics : regular).put(column.id(), new Cell(slot, -1));
  }

  void putRegular(int columnId, int slot, int keyPosition) {
    regular.put(columnId, new Cell(slot, keyPosition));
  }

  boolean isEmpty() {
    return regular.isEmpty() && statics.isEmpty();
  }

  boolean hasRegular() {
    return !regular.isEmpty();
  }

  /** Whether there are cells, and all of them static. */
  boolean onlyStatic() {
    return regular.isEmpty() && !statics.isEmpty();
  }

  ModificationPlan.Cells regular() {
    return cells(regular);
  }

  ModificationPlan.Cells statics() {
    return cells(statics);
  }

  private static ModificationPlan.Cells cells(TreeMap<Integer, Cell> from) {
    int[] columns = new int[from.size()];
    int[] slots = new int[from.size()];
    int[] keyPositions = new int[from.size()];
    int at = 0;
    for (var entry : from.entrySet()) {
      columns[at] = entry.getKey();
      slots[at] = entry.getValue().slot();
      keyPositions[at++] = entry.getValue().keyPosition();
    }
    return new ModificationPlan.Cells(columns, slots, keyPositions);
  }
}
