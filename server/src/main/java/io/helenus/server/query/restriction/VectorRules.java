package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.VectorType;
import java.util.List;

/** Cassandra's rules for columns of vectors in a SELECT. Stateless. */
final class VectorRules {
  private VectorRules() {}

  /**
   * Rejects restrictions of vectors outside the primary key if they are indexed, by whatever kind
   * of index. As in Cassandra, only the first of these columns counts.
   */
  static void requireNone(List<ColumnSchema> restricted, IndexRules indexes) {
    for (ColumnSchema column : restricted) {
      if (column.type() instanceof VectorType) {
        if (indexes.anyOn(column)) {
          throw CqlException.invalid("Vector indexes only support ANN queries");
        }
        return;
      }
    }
  }

  /** Requires a column by whose vectors rows are ordered to have them, and an index. */
  static void requireIndexed(ColumnSchema column, IndexRules indexes) {
    if (!(column.type() instanceof VectorType vector && vector.element() == ScalarType.FLOAT)) {
      throw CqlException.invalid("ANN ordering is only supported on float vector indexes");
    }
    if (!indexes.anyOn(column)) {
      throw notIndexed();
    }
  }

  /** The error of a column without an index that finds the nearest vectors. */
  static CqlException notIndexed() {
    return CqlException.invalid("ANN ordering by vector requires the column to be indexed");
  }

  /** The error of a restriction that rows would be filtered by. */
  static CqlException filtered() {
    return CqlException.invalid(
        "ANN ordering by vector requires all restricted column(s) to be indexed");
  }
}
