package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a WHERE clause. Immutable; any thread.
 *
 * @param partitionKey one restriction (Equal or In) for each partition key column, in key order;
 *     empty if partitions are scanned
 * @param token the tokens to scan, or those that the selected keys must have; null for all
 * @param clustering restrictions that select ranges of rows: consecutive from the first clustering
 *     column, only the last may be a slice
 * @param filters restrictions that every row is tested against
 * @param restrictsClustering whether any relation is on a clustering column
 * @param restrictsRegular whether any relation is on a regular column
 * @param index how indexes are used; null if none is
 * @param nearest by which vector rows are ordered; null if they are not
 * @param needsFiltering whether rows may be read that no index and no key selects
 */
public record WherePlan(
    List<Restriction> partitionKey,
    @Nullable TokenRestriction token,
    List<Restriction> clustering,
    List<Restriction> filters,
    boolean restrictsClustering,
    boolean restrictsRegular,
    @Nullable IndexPlan index,
    @Nullable Nearest nearest,
    boolean needsFiltering) {

  /** Whether partitions are scanned instead of selected by key. */
  public boolean isKeyRange() {
    return partitionKey.isEmpty();
  }

  /** Whether a partition key column is restricted by IN. */
  public boolean hasPartitionKeyIn() {
    return partitionKey.stream().anyMatch(Restriction.In.class::isInstance);
  }

  /** Whether {@code =} restricts a primary key column, alone or in a tuple. */
  public boolean isRestrictedByEqual(ColumnSchema column) {
    return isRestrictedByEqual(column, partitionKey)
        || isRestrictedByEqual(column, clustering)
        || isRestrictedByEqual(column, filters);
  }

  private static boolean isRestrictedByEqual(ColumnSchema column, List<Restriction> restrictions) {
    return restrictions.stream()
        .anyMatch(each -> each instanceof Restriction.Equal && each.covers(column));
  }

  /** Whether a partition with only static content yields a row. */
  public boolean returnsStaticContentAlone() {
    return !restrictsClustering && !restrictsRegular && nearest == null;
  }
}
