package io.helenus.server.query.selection;

import io.helenus.server.query.value.Expression;
import org.jspecify.annotations.Nullable;

/**
 * GROUP BY. Immutable.
 *
 * @param clusteringColumns how many clustering columns define a group in addition to the partition
 *     key; 0 groups by partition
 * @param function groups by its result instead of the last of these columns; null to group by the
 *     column
 */
public record Grouping(int clusteringColumns, @Nullable Expression function) {
  /** How many leading clustering columns have equal values in all rows of a group. */
  public int equalColumns() {
    return function == null ? clusteringColumns : clusteringColumns - 1;
  }
}
