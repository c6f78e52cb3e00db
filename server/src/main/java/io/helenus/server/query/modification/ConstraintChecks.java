package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.InValuesReader;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.TupleValues;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The constraints on the columns that one INSERT, UPDATE or DELETE writes, with the texts of
 * Cassandra 6. Planning rejects what no value can make right; {@link #check} the values. Immutable;
 * any thread.
 */
public final class ConstraintChecks {
  private record OfSlot(int slot, ConstraintTest test) {}

  private record OfKey(Restriction restriction, int position, ConstraintTest test) {}

  private final List<OfKey> keys = new ArrayList<>();
  private final List<OfSlot> slots = new ArrayList<>();

  private ConstraintChecks() {}

  /**
   * Plans the checks of a statement; null if there is nothing to check when it runs.
   *
   * @param keyRestrictions those of the partition key, then those of the clustering columns
   * @throws CqlException if the statement does not set a column that must not be null, or deletes
   *     its value
   */
  static @Nullable ConstraintChecks of(
      TableSchema table,
      StatementKind kind,
      List<Restriction> keyRestrictions,
      List<CellOperation> cells,
      boolean writesRows) {
    if (!table.hasConstraints()) {
      return null;
    }
    if (kind == StatementKind.DELETE) {
      refuseDeletions(table, cells);
      return null;
    }
    requireNotNull(table, cells, writesRows);
    ConstraintChecks checks = new ConstraintChecks();
    keyRestrictions.forEach(checks::addKey);
    for (CellOperation cell : cells) {
      ColumnSchema column = column(table, cell.column());
      if (cell instanceof CellOperation.Set(int _, int slot) && !column.constraints().isEmpty()) {
        checks.slots.add(new OfSlot(slot, new ConstraintTest(column)));
      }
    }
    return checks.keys.isEmpty() && checks.slots.isEmpty() ? null : checks;
  }

  private static ColumnSchema column(TableSchema table, int id) {
    for (ColumnSchema column : table.columns()) {
      if (column.id() == id) {
        return column;
      }
    }
    throw new IllegalArgumentException("no column " + id + " in " + table);
  }

  private static void refuseDeletions(TableSchema table, List<CellOperation> cells) {
    for (CellOperation cell : cells) {
      ColumnSchema column = column(table, cell.column());
      if (column.isNotNull()) {
        throw CqlException.invalid("Column '" + column.name() + "' can not be set to null.");
      }
    }
  }

  /** Static columns must be set by statements that set other static columns only. */
  private static void requireNotNull(
      TableSchema table, List<CellOperation> cells, boolean writesRows) {
    Set<Integer> set = new HashSet<>();
    boolean writesStatics = false;
    for (CellOperation cell : cells) {
      set.add(cell.column());
      writesStatics |= column(table, cell.column()).isStatic();
    }
    for (ColumnSchema column : table.columns()) {
      boolean written = column.isStatic() ? writesStatics : writesRows;
      if (written && column.isNotNull() && !set.contains(column.id())) {
        throw CqlException.invalid(
            "Column '" + column.name() + "' has to be specified as part of this query.");
      }
    }
  }

  private void addKey(Restriction restriction) {
    List<ColumnSchema> columns = restriction.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).constraints().isEmpty()) {
        keys.add(new OfKey(restriction, i, new ConstraintTest(columns.get(i))));
      }
    }
  }

  /**
   * Checks the values of a statement.
   *
   * @throws CqlException if one of them does not meet a constraint
   */
  void check(BoundSlots bound) {
    for (OfKey key : keys) {
      check(key, bound);
    }
    for (OfSlot each : slots) {
      int length = bound.length(each.slot);
      if (length == BoundSlots.UNSET) {
        each.test.unset();
      } else if (length == BoundSlots.NULL) {
        throw each.test.isNull();
      } else {
        each.test.check(bound.segment(each.slot), bound.offset(each.slot), length);
      }
    }
  }

  /** Null and unset values of keys are rejected elsewhere. */
  private static void check(OfKey key, BoundSlots bound) {
    TupleValues scratch = new TupleValues();
    InValuesReader.Visitor visitor =
        values -> {
          int length = values.length(key.position);
          if (length >= 0) {
            key.test.check(values.segment(key.position), values.offset(key.position), length);
          }
        };
    switch (key.restriction) {
      case Restriction.Equal equal -> {
        scratch.fill(equal.value(), bound);
        visitor.value(scratch);
      }
      case Restriction.In in -> InValuesReader.forEach(in, bound, scratch, visitor);
      case Restriction.Slice _, Restriction.Contains _ -> {
        // no statement that writes values has them
      }
    }
  }
}
