package io.helenus.server.query.select;

import io.helenus.server.functions.VectorSimilarity;
import io.helenus.server.query.restriction.Nearest;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.selection.SelectionInput;
import io.helenus.server.query.selection.SelectionInputs;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.VectorType;

/**
 * The order of rows by how similar their vectors are to one. Immutable; any thread.
 *
 * @param column the name of the column with the vectors of rows
 * @param input where the vector of a row is
 * @param slot the slot of the vector that rows are compared with
 * @param indexId the index that storage looks for the nearest rows in; 0 if it has none, so that
 *     all rows are compared
 */
record NearestOrder(
    String column,
    SelectionInput input,
    int slot,
    VectorSimilarity similarity,
    int dimension,
    int indexId) {

  static NearestOrder of(TableSchema table, Nearest nearest, ReadColumns read) {
    IndexSchema index = nearest.index();
    if (index == null || !(nearest.column().type() instanceof VectorType vector)) {
      throw new IllegalStateException("no index on vectors in " + nearest.column().name());
    }
    return new NearestOrder(
        nearest.column().name(),
        SelectionInputs.value(nearest.column(), read),
        nearest.slot(),
        index.similarity(),
        vector.dimension(),
        table.isStored(index) ? index.id() : 0);
  }
}
