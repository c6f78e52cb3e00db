package io.helenus.server.query.modification;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects the cell operations of a modification during planning, in column id order. If a column
 * is assigned twice, the last assignment wins; changes of a collection or of fields are applied
 * together.
 */
final class CellsBuilder {
  private final SortedMap<Integer, CellOperation> regular = new TreeMap<>();
  private final SortedMap<Integer, CellOperation> statics = new TreeMap<>();

  void set(ColumnSchema column, int slot) {
    if (hasFields(column)) {
      change(column, new FieldChange.Replace(slot));
    } else if (column.multiCell()) {
      change(column, new ElementChange.Replace(slot));
    } else {
      put(column, new CellOperation.Set(column.id(), slot));
    }
  }

  void delete(ColumnSchema column) {
    if (hasFields(column)) {
      change(column, new FieldChange.Clear());
    } else if (column.multiCell()) {
      change(column, new ElementChange.Clear());
    } else {
      put(column, new CellOperation.Delete(column.id()));
    }
  }

  private static boolean hasFields(ColumnSchema column) {
    return column.multiCell() && column.type() instanceof UserType;
  }

  /** Adds a change of a user type that is not frozen; it replaces an earlier one of the field. */
  void change(ColumnSchema column, FieldChange change) {
    TreeMap<Integer, FieldChange> changes = new TreeMap<>();
    if (cells(column).get(column.id()) instanceof CellOperation.ChangeFields earlier) {
      for (FieldChange each : earlier.changes()) {
        changes.put(each.changedField(), each);
      }
    }
    changes.put(change.changedField(), change);
    FieldChange[] all = changes.values().toArray(new FieldChange[0]);
    put(column, new CellOperation.ChangeFields(column.id(), all));
  }

  /** Adds a change of a multi-cell collection to the earlier ones. */
  void change(ColumnSchema column, ElementChange change) {
    ElementChange[] changes = {change};
    if (cells(column).get(column.id()) instanceof CellOperation.ChangeCollection earlier) {
      changes = Arrays.copyOf(earlier.changes(), earlier.changes().length + 1);
      changes[changes.length - 1] = change;
    }
    CollectionCells mapping = CollectionCells.of(column.type());
    put(column, new CellOperation.ChangeCollection(column.id(), mapping, changes));
  }

  /** Adds a change of a counter to the earlier ones. */
  void count(ColumnSchema column, int slot, boolean subtracts) {
    CellOperation.Count.Change[] changes = {new CellOperation.Count.Change(slot, subtracts)};
    if (cells(column).get(column.id()) instanceof CellOperation.Count earlier) {
      changes = Arrays.copyOf(earlier.changes(), earlier.changes().length + 1);
      changes[changes.length - 1] = new CellOperation.Count.Change(slot, subtracts);
    }
    put(column, new CellOperation.Count(column.id(), changes));
  }

  /** Adds a value to the present one of a number or text, and to the values added so far. */
  void sum(ColumnSchema column, ScalarType type, int slot) {
    int[] slots = {slot};
    if (cells(column).get(column.id()) instanceof CellOperation.Sum earlier) {
      slots = Arrays.copyOf(earlier.slots(), earlier.slots().length + 1);
      slots[slots.length - 1] = slot;
    }
    ConstraintTest constraints = column.constraints().isEmpty() ? null : new ConstraintTest(column);
    put(column, new CellOperation.Sum(column.id(), column.name(), type, slots, constraints));
  }

  /**
   * Adds an operation for each clustering column whose wire values may not be recoverable from the
   * key bytes.
   *
   * @param clusteringSlots the slots of the clustering columns, in key order
   */
  void keepForms(TableSchema table, int[] clusteringSlots) {
    for (int i = 0; i < clusteringSlots.length; i++) {
      ColumnSchema column = table.clusteringColumns().get(i);
      KeyEncoding encoding = column.type().keyEncoding();
      if (encoding != null && encoding.keepsWireValue()) {
        put(column, new CellOperation.KeepForm(column.id(), clusteringSlots[i], encoding));
      }
    }
  }

  private void put(ColumnSchema column, CellOperation operation) {
    cells(column).put(column.id(), operation);
  }

  private SortedMap<Integer, CellOperation> cells(ColumnSchema column) {
    return column.isStatic() ? statics : regular;
  }

  boolean isEmpty() {
    return !hasRegular() && !hasStatics();
  }

  boolean hasRegular() {
    return !regular.isEmpty();
  }

  boolean hasStatics() {
    return !statics.isEmpty();
  }

  /** The columns of which some changes depend on their present elements. */
  ListRewrite.Plan rewrites() {
    return new ListRewrite.Plan(rewrites(regular), rewrites(statics));
  }

  private static List<ListRewrite> rewrites(SortedMap<Integer, CellOperation> operations) {
    List<ListRewrite> rewrites = new ArrayList<>();
    for (CellOperation operation : operations.values()) {
      if (operation instanceof CellOperation.ChangeCollection change && readsElements(change)) {
        rewrites.add(new ListRewrite(change.column(), change.cells(), change.changes()));
      }
    }
    return rewrites;
  }

  /** The columns to which values are added. */
  ValueSums.Plan sums() {
    return new ValueSums.Plan(sums(regular), sums(statics));
  }

  private static List<CellOperation.Sum> sums(SortedMap<Integer, CellOperation> operations) {
    return operations.values().stream()
        .filter(CellOperation.Sum.class::isInstance)
        .map(CellOperation.Sum.class::cast)
        .toList();
  }

  private static boolean readsElements(CellOperation operation) {
    return operation instanceof CellOperation.ChangeCollection change
        && Arrays.stream(change.changes()).anyMatch(ElementChange::readsElements);
  }

  private static CellOperation[] others(SortedMap<Integer, CellOperation> operations) {
    return operations.values().stream()
        .filter(each -> !readsElements(each) && !(each instanceof CellOperation.Sum))
        .toArray(CellOperation[]::new);
  }

  /** All operations, those on static columns first. */
  List<CellOperation> all() {
    List<CellOperation> all = new ArrayList<>(statics.values());
    all.addAll(regular.values());
    return all;
  }

  /** Whether there are operations and all of them are on static columns. */
  boolean onlyStatic() {
    return !hasRegular() && hasStatics();
  }

  /** The operations on every row, other than rewrites and sums. */
  CellOperation[] regular() {
    return others(regular);
  }

  /** The operations on the static row, other than rewrites and sums. */
  CellOperation[] statics() {
    return others(statics);
  }
}
