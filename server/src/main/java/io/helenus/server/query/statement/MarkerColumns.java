package io.helenus.server.query.statement;

import io.helenus.server.protocol.ResultColumns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The markers of a planned statement. Immutable (the arrays must not be modified); any thread.
 *
 * @param columns the name and type of each marker, as PREPARE returns them
 * @param names the names by which values can be bound
 * @param partitionKeyIndexes the marker of each partition key column; empty unless all have a
 *     marker
 */
public record MarkerColumns(
    ResultColumns columns, @Nullable String[] names, int[] partitionKeyIndexes) {
  /** No markers. */
  public static final MarkerColumns NONE =
      new MarkerColumns(new ResultColumns(List.of()), new String[0], new int[0]);
}
