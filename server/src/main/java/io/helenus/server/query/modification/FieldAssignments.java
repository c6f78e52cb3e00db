package io.helenus.server.query.modification;

import io.helenus.cql.ast.Assignment;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;

/**
 * Plans the assignments and deletions of single fields of user types, with Cassandra's checks in
 * Cassandra's order. One per statement.
 */
final class FieldAssignments {
  private final TableSchema table;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots;
  private final CellsBuilder cells;

  FieldAssignments(
      TableSchema table, TermCompiler terms, ValueSlots.Builder slots, CellsBuilder cells) {
    this.table = table;
    this.terms = terms;
    this.slots = slots;
    this.cells = cells;
  }

  /** {@code column.field = value}. */
  void set(ColumnSchema column, Assignment.SetField assignment) {
    if (!(column.type() instanceof UserType type) || !column.multiCell()) {
      String operation = column.name() + "." + assignment.field() + " = " + assignment.value();
      throw CqlException.invalid(
          "Invalid operation ("
              + operation
              + ") for "
              + (column.type() instanceof UserType ? "frozen UDT" : "non-UDT")
              + " column "
              + column.name());
    }
    int field = field(column, type, assignment.field());
    CqlType fieldType = type.fieldTypes().get(field);
    Receiver receiver = Receiver.of(table, column.name() + "." + assignment.field(), fieldType);
    int slot = slots.add(terms.compile(assignment.value(), receiver), fieldType);
    cells.change(column, new FieldChange.Set(field, slot));
  }

  /** {@code DELETE column.field}. */
  void delete(ColumnSchema column, String name) {
    if (!(column.type() instanceof UserType type) || !column.multiCell()) {
      throw CqlException.invalid(
          column.type() instanceof UserType
              ? "Frozen UDT column " + column.name() + " does not support field deletions"
              : "Invalid field deletion operation for non-UDT column " + column.name());
    }
    cells.change(column, new FieldChange.Delete(field(column, type, name)));
  }

  private static int field(ColumnSchema column, UserType type, String name) {
    int field = type.fieldNames().indexOf(name);
    if (field < 0) {
      throw CqlException.invalid(
          "UDT column " + column.name() + " does not have a field named " + name);
    }
    return field;
  }
}
