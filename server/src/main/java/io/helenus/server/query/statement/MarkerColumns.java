package io.helenus.server.query.statement;

import io.helenus.server.protocol.ResultColumns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The markers of a planned statement. The arrays must not be changed.
 *
 * @param columns name and type of each
 * @param names the names by which values may be bound
 * @param partitionKeyIndexes for each part of the partition key its marker, or empty
 */
public record MarkerColumns(
    ResultColumns columns, @Nullable String[] names, int[] partitionKeyIndexes) {
  /** No markers. */
  public static final MarkerColumns NONE =
      new MarkerColumns(new ResultColumns(List.of()), new String[0], new int[0]);
}
