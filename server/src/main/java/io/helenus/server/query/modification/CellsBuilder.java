package io.helenus.server.query.modification;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects the cell operations of a modification during planning, in column id order. If a column
 * is assigned twice, the last assignment wins.
 */
final class CellsBuilder {
  private final SortedMap<Integer, CellOperation> regular = new TreeMap<>();
  private final SortedMap<Integer, CellOperation> statics = new TreeMap<>();

  void set(ColumnSchema column, int slot) {
    put(
        column,
        column.multiCell()
            ? new CellOperation.ReplaceCollection(
                column.id(), slot, CollectionCells.of(column.type()))
            : new CellOperation.Set(column.id(), slot));
  }

  void delete(ColumnSchema column) {
    put(
        column,
        column.multiCell()
            ? new CellOperation.DeleteCollection(column.id())
            : new CellOperation.Delete(column.id()));
  }

  /**
   * Adds an operation for each clustering column whose wire values may not be recoverable from the
   * key bytes.
   *
   * @param clusteringSlots the slots of the clustering columns, in key order
   */
  void keepSpellings(TableSchema table, int[] clusteringSlots) {
    for (int i = 0; i < clusteringSlots.length; i++) {
      ColumnSchema column = table.clusteringColumns().get(i);
      KeyEncoding encoding = column.type().keyEncoding();
      if (encoding != null && encoding.keepsWireValue()) {
        put(column, new CellOperation.KeepSpelling(column.id(), clusteringSlots[i], encoding));
      }
    }
  }

  private void put(ColumnSchema column, CellOperation operation) {
    (column.isStatic() ? statics : regular).put(column.id(), operation);
  }

  boolean isEmpty() {
    return regular.isEmpty() && statics.isEmpty();
  }

  boolean hasRegular() {
    return !regular.isEmpty();
  }

  /** Whether there are operations and all of them are on static columns. */
  boolean onlyStatic() {
    return regular.isEmpty() && !statics.isEmpty();
  }

  CellOperation[] regular() {
    return regular.values().toArray(new CellOperation[0]);
  }

  CellOperation[] statics() {
    return statics.values().toArray(new CellOperation[0]);
  }
}
