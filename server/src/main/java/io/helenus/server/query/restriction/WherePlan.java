package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a WHERE clause comes to. Immutable.
 *
 * @param partitionKey one restriction (Equal or In) for each partition key column, in key order;
 *     empty when partitions are found by scanning
 * @param token the range of tokens that is scanned, or that the keys must lie in; null for all
 * @param clustering restrictions that make ranges of rows: consecutive from the first clustering
 *     column, only the last may be a slice
 * @param filters what every row is tested for besides; each on one column
 * @param restrictsClustering whether any relation was on a clustering column
 * @param restrictsRegular whether any relation was on a regular column
 */
public record WherePlan(
    List<Restriction> partitionKey,
    @Nullable TokenRestriction token,
    List<Restriction> clustering,
    List<Restriction> filters,
    boolean restrictsClustering,
    boolean restrictsRegular) {

  /** Whether partitions are found by scanning. */
  public boolean isKeyRange() {
    return partitionKey.isEmpty();
  }

  /** Whether the partition key has an IN. */
  public boolean hasPartitionKeyIn() {
    return partitionKey.stream().anyMatch(Restriction.In.class::isInstance);
  }

  /** Whether an = restricts a column of the primary key, alone or in a tuple. */
  public boolean isRestrictedByEqual(ColumnSchema column) {
    return isRestrictedByEqual(column, partitionKey) || isRestrictedByEqual(column, clustering);
  }

  private static boolean isRestrictedByEqual(ColumnSchema column, List<Restriction> restrictions) {
    return restrictions.stream()
        .anyMatch(each -> each instanceof Restriction.Equal && each.covers(column));
  }

  /** Whether a partition that has static columns alone makes a row. */
  public boolean returnsStaticContentAlone() {
    return !restrictsClustering && !restrictsRegular;
  }
}
