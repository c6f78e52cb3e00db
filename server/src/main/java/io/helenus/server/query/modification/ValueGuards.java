package io.helenus.server.query.modification;

import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values that a statement writes against the guardrails on their size and the limits of
 * indexes, by Cassandra's count: a cell of a collection has its value, its path (the key of a map,
 * the element of a set, 16 bytes in a list) and {@link EntryWriter#CELL_BYTES} more. One statement.
 */
final class ValueGuards {
  private static final int LIST_PATH_BYTES = 16;
  private static final int FIELD_PATH_BYTES = 2;

  private final TableSchema table;
  private final BoundSlots bound;
  private final Guardrails guardrails;
  private final Consumer<String> warnings;
  private final @Nullable IndexedSizes indexed;

  ValueGuards(
      TableSchema table, BoundSlots bound, Guardrails guardrails, Consumer<String> warnings) {
    this.table = table;
    this.bound = bound;
    this.guardrails = guardrails;
    this.warnings = warnings;
    this.indexed = table.indexes().isEmpty() ? null : new IndexedSizes(table, guardrails, warnings);
  }

  void check(ModificationPlan plan) {
    if (indexed != null) {
      indexed.checkKeys(plan.partitionKey(), bound);
      indexed.checkKeys(plan.clustering(), bound);
    }
    for (CellOperation each : plan.staticCells()) {
      check(each);
    }
    for (ListRewrite each : plan.rewrites().statics()) {
      checkChanges(column(each.column()), Kind.LIST, each.changes());
    }
    for (CellOperation each : plan.regularCells()) {
      check(each);
    }
    for (ListRewrite each : plan.rewrites().regular()) {
      checkChanges(column(each.column()), Kind.LIST, each.changes());
    }
  }

  private enum Kind {
    LIST,
    SET,
    MAP
  }

  private ColumnSchema column(int id) {
    for (ColumnSchema column : table.columns()) {
      if (column.id() == id) {
        return column;
      }
    }
    throw new IllegalArgumentException("no column " + id + " in " + table);
  }

  private void check(CellOperation operation) {
    switch (operation) {
      case CellOperation.Set(int column, int slot) -> checkWhole(column(column), slot);
      case CellOperation.ChangeCollection change -> {
        Kind kind =
            change.cells().isList() ? Kind.LIST : change.cells().isMap() ? Kind.MAP : Kind.SET;
        checkChanges(column(change.column()), kind, change.changes());
      }
      case CellOperation.ChangeFields change -> {
        for (FieldChange each : change.changes()) {
          checkField(column(change.column()), each);
        }
      }
      case CellOperation.Delete _,
          CellOperation.Count _,
          CellOperation.Sum _,
          CellOperation.KeepForm _ -> {
        // no value of the client, or only a part of one
      }
    }
  }

  /** Checks the value of a single cell, which may be a frozen collection. */
  private void checkWhole(ColumnSchema column, int slot) {
    int length = bound.length(slot);
    if (length < 0) {
      return;
    }
    boolean collection = column.type().isCollection();
    if (collection) {
      guardrails.check(Limit.ITEMS_PER_COLLECTION, count(slot), column.name(), warnings);
    }
    guardrails.check(Limit.COLUMN_VALUE_SIZE, length, column.name(), warnings);
    if (collection) {
      guardrails.check(
          Limit.COLLECTION_SIZE, EntryWriter.CELL_BYTES + length, column.name(), warnings);
    }
    if (indexed != null) {
      indexed.checkWhole(column, bound.segment(slot), bound.offset(slot), length);
    }
  }

  private int count(int slot) {
    return bound.length(slot) < 4 ? 0 : Bytes.getInt(bound.segment(slot), bound.offset(slot));
  }

  private void checkField(ColumnSchema column, FieldChange change) {
    switch (change) {
      case FieldChange.Replace(int slot) -> {
        MemorySegment value = bound.segment(slot);
        long at = bound.offset(slot);
        long end = at + Math.max(bound.length(slot), 0);
        while (at < end) {
          int length = Bytes.getInt(value, at);
          checkCell(column, length, FIELD_PATH_BYTES);
          at += 4 + Math.max(length, 0);
        }
      }
      case FieldChange.Set(int _, int slot) ->
          checkCell(column, bound.length(slot), FIELD_PATH_BYTES);
      case FieldChange.Clear _, FieldChange.Delete _ -> {
        // no value
      }
    }
  }

  private void checkChanges(ColumnSchema column, Kind kind, ElementChange[] changes) {
    for (ElementChange change : changes) {
      switch (change) {
        case ElementChange.Replace(int slot) -> checkAdded(column, kind, slot);
        case ElementChange.Add(int slot) -> checkAdded(column, kind, slot);
        case ElementChange.Prepend(int slot) -> {
          long ignored = checkElements(column, Kind.LIST, slot);
        }
        case ElementChange.Remove(int slot) -> checkRemoved(column, slot);
        case ElementChange.Put(int key, int slot) -> {
          if (bound.length(slot) != BoundSlots.UNSET) {
            checkCell(column, bound.length(slot), bound.length(key));
          }
        }
        case ElementChange.RemoveOne(int key) ->
            checkCell(column, BoundSlots.NULL, bound.length(key));
        case ElementChange.SetAt(int _, int slot) -> {
          requireReads("Setting of list items by index requiring read before write");
          checkCell(column, bound.length(slot), LIST_PATH_BYTES);
        }
        case ElementChange.RemoveAt _ ->
            requireReads("Removal of list items by index requiring read before write");
        case ElementChange.RemoveValues _ ->
            requireReads("Removal of list items requiring read before write");
        case ElementChange.Clear _ -> {
          // no value
        }
      }
    }
  }

  private void requireReads(String use) {
    guardrails.require(Feature.READ_BEFORE_WRITE_LIST_OPERATIONS, use, warnings);
  }

  private void checkAdded(ColumnSchema column, Kind kind, int slot) {
    if (!CollectionWriter.hasElements(slot, bound)) {
      return;
    }
    guardrails.check(Limit.ITEMS_PER_COLLECTION, count(slot), column.name(), warnings);
    long bytes = checkElements(column, kind, slot);
    guardrails.check(Limit.COLLECTION_SIZE, bytes, column.name(), warnings);
  }

  /** Checks the keys or elements of tombstones. */
  private void checkRemoved(ColumnSchema column, int slot) {
    if (!CollectionWriter.hasElements(slot, bound)) {
      return;
    }
    MemorySegment value = bound.segment(slot);
    long at = bound.offset(slot) + 4;
    for (int left = count(slot); left > 0; left--) {
      int length = Math.max(Bytes.getInt(value, at), 0);
      at += 4 + length;
      checkCell(column, BoundSlots.NULL, length);
    }
  }

  /** Checks the cells of the elements; returns their size. */
  private long checkElements(ColumnSchema column, Kind kind, int slot) {
    if (!CollectionWriter.hasElements(slot, bound)) {
      return 0;
    }
    MemorySegment value = bound.segment(slot);
    long at = bound.offset(slot) + 4;
    long total = 0;
    for (int left = count(slot); left > 0; left--) {
      int first = Math.max(Bytes.getInt(value, at), 0);
      at += 4 + first;
      int path = kind == Kind.LIST ? LIST_PATH_BYTES : first;
      int length = kind == Kind.LIST ? first : 0;
      if (kind == Kind.MAP) {
        length = Math.max(Bytes.getInt(value, at), 0);
        at += 4 + length;
      }
      checkCell(column, length, path);
      total += EntryWriter.CELL_BYTES + path + length;
    }
    return total;
  }

  private void checkCell(ColumnSchema column, int length, int pathLength) {
    guardrails.check(Limit.COLUMN_VALUE_SIZE, length, column.name(), warnings);
    guardrails.check(Limit.COLUMN_VALUE_SIZE, pathLength, column.name(), warnings);
    if (indexed != null && column.type().isCollection()) {
      indexed.checkElement(column, length, pathLength);
    }
  }
}
