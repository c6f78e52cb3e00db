package io.helenus.server.query.modification;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.query.restriction.InValuesReader;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.TupleValues;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.VectorType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks the sizes of the values that a statement adds to the indexes of its table. One statement.
 */
final class IndexedSizes {
  private static final int LEGACY_LIMIT_BYTES = 65_535;

  /** What Cassandra adds to a key and a value to index them as one. */
  private static final int ENTRY_BYTES = 6;

  private final TableSchema table;
  private final Guardrails guardrails;
  private final Consumer<String> warnings;

  IndexedSizes(TableSchema table, Guardrails guardrails, Consumer<String> warnings) {
    this.table = table;
    this.guardrails = guardrails;
    this.warnings = warnings;
  }

  /** Checks the values of the restricted key columns. */
  void checkKeys(List<Restriction> restrictions, BoundSlots bound) {
    for (Restriction restriction : restrictions) {
      for (int i = 0; i < restriction.columns().size(); i++) {
        ColumnSchema column = restriction.columns().get(i);
        if (table.indexes().stream().anyMatch(index -> index.columnId() == column.id())) {
          checkKey(restriction, i, bound);
        }
      }
    }
  }

  private void checkKey(Restriction restriction, int position, BoundSlots bound) {
    ColumnSchema column = restriction.columns().get(position);
    InValuesReader.Visitor visitor =
        values ->
            checkWhole(
                column, values.segment(position), values.offset(position), values.length(position));
    TupleValues scratch = new TupleValues();
    switch (restriction) {
      case Restriction.Equal equal -> {
        scratch.fill(equal.value(), bound);
        visitor.value(scratch);
      }
      case Restriction.In in -> InValuesReader.forEach(in, bound, scratch, visitor);
      case Restriction.Slice _, Restriction.Contains _ -> {
        // names no row that is written
      }
    }
  }

  /** Checks the value of a column with a single cell; its length is negative for none. */
  void checkWhole(ColumnSchema column, MemorySegment value, long offset, int length) {
    for (IndexSchema index : table.indexes()) {
      if (index.columnId() == column.id()) {
        check(index, column, column.type(), length);
        if (length >= 0
            && index.kind() == IndexSchema.Kind.SAI
            && column.type() instanceof VectorType vector) {
          checkVector(index, column, vector.dimension(), value, offset);
        }
      }
    }
  }

  /** Rejects a vector that could not be compared with others. */
  private static void checkVector(
      IndexSchema index, ColumnSchema column, int dimension, MemorySegment value, long offset) {
    String objection = index.similarity().objection(value, offset, dimension);
    if (objection != null) {
      throw CqlException.invalid(
          "The vector for column "
              + column.name()
              + " cannot be indexed by "
              + index.name()
              + ": "
              + objection);
    }
  }

  /**
   * Checks an element of a collection. As in Cassandra, one that is removed counts for legacy
   * indexes only.
   *
   * @param length the length of its value, 0 in a set; negative if it is removed
   * @param pathLength the length of the key of a map or the element of a set
   */
  void checkElement(ColumnSchema column, int length, int pathLength) {
    CqlType type = column.type();
    for (IndexSchema index : table.indexes()) {
      boolean removed = length < 0 && index.kind() == IndexSchema.Kind.SAI;
      if (index.columnId() != column.id() || removed) {
        continue;
      }
      if (type instanceof SetType || index.target() == TargetKind.KEYS) {
        check(index, column, type.parts().getFirst(), pathLength);
      } else if (index.target() == TargetKind.ENTRIES) {
        check(index, column, ScalarType.BLOB, pathLength + Math.max(length, 0) + ENTRY_BYTES);
      } else {
        check(index, column, type.parts().getLast(), length);
      }
    }
  }

  private void check(IndexSchema index, ColumnSchema column, CqlType type, int length) {
    switch (index.kind()) {
      case LEGACY -> {
        if (length >= LEGACY_LIMIT_BYTES) {
          throw CqlException.invalid(
              "Cannot index value of size "
                  + length
                  + " for index "
                  + index.name()
                  + " on "
                  + table
                  + "("
                  + column.name()
                  + ") (maximum allowed size="
                  + LEGACY_LIMIT_BYTES
                  + ")");
        }
      }
      case SAI -> {
        Limit limit =
            switch (type) {
              case ScalarType _ -> Limit.SAI_STRING_TERM_SIZE;
              case VectorType _ -> Limit.SAI_VECTOR_TERM_SIZE;
              default -> Limit.SAI_FROZEN_TERM_SIZE;
            };
        guardrails.check(limit, length, column.name(), warnings);
      }
    }
  }
}
