package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY … ANN OF: the rows are those nearest to a vector. Immutable; any thread.
 *
 * @param column the column with the vectors of the rows
 * @param slot the slot of the vector that they are compared with
 * @param index the index on the column; null until it is known
 */
public record Nearest(ColumnSchema column, int slot, @Nullable IndexSchema index) {}
