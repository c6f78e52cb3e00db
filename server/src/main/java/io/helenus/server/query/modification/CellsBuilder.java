package io.helenus.server.query.modification;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CollectionCells;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gathers the cells that a modification writes, in column id order. One planning. */
final class CellsBuilder {
  private final TreeMap<Integer, Cell> regular = new TreeMap<>();
  private final TreeMap<Integer, Cell> statics = new TreeMap<>();

  private record Cell(int slot, int keyPosition, @Nullable CollectionCells collection) {}

  /** A cell of this column; of two the later one counts. */
  void put(ColumnSchema column, int slot) {
    CollectionCells collection = column.multiCell() ? CollectionCells.of(column.type()) : null;
    int kind =
        collection == null ? ModificationPlan.Cells.PLAIN : ModificationPlan.Cells.COLLECTION;
    (column.isStatic() ? statics : regular).put(column.id(), new Cell(slot, kind, collection));
  }

  void putRegular(int columnId, int slot, int keyPosition, @Nullable CollectionCells collection) {
    regular.put(columnId, new Cell(slot, keyPosition, collection));
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
    @Nullable CollectionCells[] collections = new CollectionCells[from.size()];
    int at = 0;
    for (var entry : from.entrySet()) {
      columns[at] = entry.getKey();
      slots[at] = entry.getValue().slot();
      collections[at] = entry.getValue().collection();
      keyPositions[at++] = entry.getValue().keyPosition();
    }
    return new ModificationPlan.Cells(columns, slots, keyPositions, collections);
  }
}
