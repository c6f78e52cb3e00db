package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationWriter;

/**
 * Writes the changes of one multi-cell collection as cells of the current row: at most one deletion
 * of the column, then one cell or tombstone per element, in ascending path order. One per {@link
 * WriteTimes}; shard thread only.
 */
final class CollectionWriter {
  private final CollectionElements elements = new CollectionElements();
  private final WriteTimes times;
  private final CollectionElements.ListPaths listPaths;
  private boolean columnDeleted;

  CollectionWriter(WriteTimes times, CollectionElements.ListPaths listPaths) {
    this.times = times;
    this.listPaths = listPaths;
  }

  /**
   * Whether the changes write any cell.
   *
   * @throws CqlException INVALID if a key is null or unset
   */
  static boolean writes(CellOperation.ChangeCollection operation, BoundSlots bound) {
    boolean any = false;
    for (ElementChange change : operation.changes()) {
      any |= writes(operation.cells(), change, bound);
    }
    return any;
  }

  private static boolean writes(CollectionCells cells, ElementChange change, BoundSlots bound) {
    return switch (change) {
      case ElementChange.Replace(int slot) -> bound.length(slot) != BoundSlots.UNSET;
      case ElementChange.Clear ignored -> true;
      case ElementChange.Add(int slot) -> hasElements(slot, bound);
      case ElementChange.Prepend(int slot) -> hasElements(slot, bound);
      case ElementChange.Remove(int slot) -> hasElements(slot, bound);
      case ElementChange.SetAt ignored -> throw readsElements();
      case ElementChange.RemoveAt ignored -> throw readsElements();
      case ElementChange.RemoveValues ignored -> throw readsElements();
      case ElementChange.Put(int keySlot, int slot) -> {
        requireKey(cells, bound.length(keySlot));
        yield bound.length(slot) != BoundSlots.UNSET;
      }
      case ElementChange.RemoveOne(int keySlot) -> {
        requireKey(cells, bound.length(keySlot));
        yield bound.length(keySlot) >= 0;
      }
    };
  }

  private static IllegalStateException readsElements() {
    return new IllegalStateException("a change that depends on the present elements");
  }

  static boolean hasElements(int slot, BoundSlots bound) {
    return bound.length(slot) >= 4 && Bytes.getInt(bound.segment(slot), bound.offset(slot)) > 0;
  }

  /** Rejects a map key that is null or unset, and a set element that is null. */
  private static void requireKey(CollectionCells cells, int length) {
    if (length == BoundSlots.NULL) {
      throw CqlException.invalid("Invalid null " + (cells.isMap() ? "map key" : "set element"));
    }
    if (length == BoundSlots.UNSET && cells.isMap()) {
      throw CqlException.invalid("Invalid unset map key");
    }
  }

  /**
   * Writes the cells. Returns their size by Cassandra's count for batches.
   *
   * @throws CqlException INVALID if an element or key is too long, or a key is null or unset
   */
  int write(CellOperation.ChangeCollection operation, BoundSlots bound, MutationWriter out) {
    elements.begin(operation.cells());
    columnDeleted = false;
    for (ElementChange change : operation.changes()) {
      if (writes(operation.cells(), change, bound)) {
        apply(change, operation.column(), bound, out);
      }
    }
    elements.end();
    boolean any = columnDeleted || elements.count() > 0;
    int counted = any ? EntryWriter.COLUMN_DELETION_BYTES : 0;
    for (int i = 0; i < elements.count(); i++) {
      counted += EntryWriter.CELL_BYTES + elements.wireBytes(i);
      if (elements.isDeleted(i)) {
        out.pathTombstone(
            operation.column(),
            times.timestampMicros(),
            times.nowSeconds(),
            elements.segment(),
            elements.pathOffset(i),
            elements.pathLength(i));
      } else {
        out.pathCell(
            operation.column(),
            times.timestampMicros(),
            elements.segment(),
            elements.pathOffset(i),
            elements.pathLength(i),
            elements.segment(),
            elements.valueOffset(i),
            elements.valueLength(i));
      }
    }
    return counted;
  }

  private void apply(ElementChange change, int column, BoundSlots bound, MutationWriter out) {
    switch (change) {
      case ElementChange.Replace(int slot) -> {
        // One microsecond older than the new cells, so that it does not cover them.
        deleteColumn(column, times.timestampMicros() - 1, out);
        if (hasElements(slot, bound)) {
          elements.add(bound.segment(slot), bound.offset(slot), listPaths);
        }
      }
      case ElementChange.Clear ignored -> deleteColumn(column, times.timestampMicros(), out);
      case ElementChange.Add(int slot) ->
          elements.add(bound.segment(slot), bound.offset(slot), listPaths);
      case ElementChange.Prepend(int slot) ->
          elements.prepend(bound.segment(slot), bound.offset(slot), listPaths);
      case ElementChange.Remove(int slot) ->
          elements.remove(bound.segment(slot), bound.offset(slot));
      case ElementChange.Put(int keySlot, int slot) ->
          elements.put(
              bound.segment(keySlot),
              bound.offset(keySlot),
              bound.length(keySlot),
              bound.segment(slot),
              bound.offset(slot),
              bound.length(slot));
      case ElementChange.SetAt ignored -> throw readsElements();
      case ElementChange.RemoveAt ignored -> throw readsElements();
      case ElementChange.RemoveValues ignored -> throw readsElements();
      case ElementChange.RemoveOne(int keySlot) ->
          elements.removeOne(bound.segment(keySlot), bound.offset(keySlot), bound.length(keySlot));
    }
  }

  private void deleteColumn(int column, long timestampMicros, MutationWriter out) {
    if (!columnDeleted) {
      columnDeleted = true;
      out.columnDeletion(column, timestampMicros, times.nowSeconds());
    }
  }
}
