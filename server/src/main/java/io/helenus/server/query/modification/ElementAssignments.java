package io.helenus.server.query.modification;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.OperationFunctions;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;

/**
 * Plans the assignments and deletions that change a part of a collection: {@code c = c + …}, {@code
 * c[k] = …} and so on, with Cassandra's checks in Cassandra's order. One per statement.
 */
final class ElementAssignments {
  private final TableSchema table;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots;
  private final CellsBuilder cells;

  ElementAssignments(
      TableSchema table, TermCompiler terms, ValueSlots.Builder slots, CellsBuilder cells) {
    this.table = table;
    this.terms = terms;
    this.slots = slots;
    this.cells = cells;
  }

  /**
   * {@code column = column + value}.
   *
   * @param conditional whether the statement has conditions, so that present values can be read
   */
  void add(ColumnSchema column, Assignment.Add add, boolean conditional) {
    if (column.type().isCounter()) {
      cells.count(column, slot(add.value(), Receiver.of(table, column)), false);
      return;
    }
    String operation = column.name() + " = " + column.name() + " + " + add.value();
    if (conditional
        && column.type() instanceof ScalarType scalar
        && OperationFunctions.hasSums(scalar)) {
      cells.sum(column, scalar, slot(add.value(), Receiver.of(table, column)));
      return;
    }
    if (conditional && !column.type().isCollection() && !isTuple(column)) {
      throw CqlException.invalid(
          "Invalid operation ("
              + operation
              + ") for non-numeric and non-text type "
              + column.name());
    }
    requireMultiCell(column, operation, "counter");
    if (column.type() instanceof MapType) {
      try {
        cells.change(column, new ElementChange.Add(slot(add.value(), Receiver.of(table, column))));
      } catch (CqlException e) {
        throw CqlException.invalid(
            "Value for a map addition has to be a map, but was: '" + add.value() + "'");
      }
      return;
    }
    cells.change(column, new ElementChange.Add(slot(add.value(), Receiver.of(table, column))));
  }

  /** {@code column = column - value}. */
  void subtract(ColumnSchema column, Assignment.Subtract subtract) {
    if (column.type().isCounter()) {
      cells.count(column, slot(subtract.value(), Receiver.of(table, column)), true);
      return;
    }
    String operation = column.name() + " = " + column.name() + " - " + subtract.value();
    requireMultiCell(column, operation, "counter");
    switch (column.type()) {
      case MapType map -> {
        Receiver keys = Receiver.of(table, column.name(), new SetType(map.key(), true));
        try {
          cells.change(column, new ElementChange.Remove(slot(subtract.value(), keys)));
        } catch (CqlException e) {
          throw CqlException.invalid(
              "Value for a map substraction has to be a set, but was: '" + subtract.value() + "'");
        }
      }
      case ListType ignored ->
          cells.change(
              column,
              new ElementChange.RemoveValues(slot(subtract.value(), Receiver.of(table, column))));
      default ->
          cells.change(
              column, new ElementChange.Remove(slot(subtract.value(), Receiver.of(table, column))));
    }
  }

  /** {@code column = value + column}. */
  void prepend(ColumnSchema column, Assignment.Prepend prepend) {
    int slot = slot(prepend.value(), Receiver.of(table, column));
    String operation = column.name() + " = " + prepend.value() + " - " + column.name();
    if (!(column.type() instanceof ListType)) {
      throw invalid(operation, "non list", column);
    }
    if (!column.multiCell()) {
      throw invalid(operation, "frozen list", column);
    }
    cells.change(column, new ElementChange.Prepend(slot));
  }

  /** {@code column[key] = value}. */
  void put(ColumnSchema column, Assignment.SetElement put) {
    String operation = column.name() + "[" + put.key() + "] = " + put.value();
    requireMultiCell(column, operation, "collection");
    switch (column.type()) {
      case MapType map -> {
        int keySlot = slot(put.key(), part("key", column, map.key()));
        int slot = slot(put.value(), part("value", column, map.value()));
        cells.change(column, new ElementChange.Put(keySlot, slot));
      }
      case ListType list -> {
        int indexSlot = slot(put.key(), part("idx", column, ScalarType.INT));
        int slot = slot(put.value(), part("value", column, list.element()));
        cells.change(column, new ElementChange.SetAt(indexSlot, slot));
      }
      default -> throw invalid(operation, "set", column);
    }
  }

  /** {@code DELETE column[key]}. */
  void delete(ColumnSchema column, Term key) {
    if (!column.type().isCollection() || !column.multiCell()) {
      throw CqlException.invalid(
          "Invalid deletion operation for "
              + (column.type().isCollection() ? "frozen" : "non")
              + " collection column "
              + column.name());
    }
    switch (column.type()) {
      case MapType map ->
          cells.change(
              column, new ElementChange.RemoveOne(slot(key, part("key", column, map.key()))));
      case SetType set ->
          cells.change(
              column, new ElementChange.RemoveOne(slot(key, part("value", column, set.element()))));
      default -> {
        int indexSlot = slot(key, part("idx", column, ScalarType.INT));
        cells.change(column, new ElementChange.RemoveAt(indexSlot));
      }
    }
  }

  private void requireMultiCell(ColumnSchema column, String operation, String expected) {
    if (!column.type().isCollection()) {
      boolean added = operation.startsWith(column.name() + " = " + column.name() + " + ");
      throw invalid(operation, added && isTuple(column) ? "tuple" : "non " + expected, column);
    }
    if (!column.multiCell()) {
      throw invalid(operation, "frozen collection", column);
    }
  }

  private static boolean isTuple(ColumnSchema column) {
    return column.type() instanceof UserType || column.type() instanceof TupleType;
  }

  private static CqlException invalid(String operation, String kind, ColumnSchema column) {
    return CqlException.invalid(
        "Invalid operation (" + operation + ") for " + kind + " column " + column.name());
  }

  private Receiver part(String part, ColumnSchema column, CqlType type) {
    return Receiver.of(table, part + "(" + column.name() + ")", type);
  }

  private int slot(Term term, Receiver receiver) {
    return slots.add(terms.compile(term, receiver), receiver.type());
  }
}
