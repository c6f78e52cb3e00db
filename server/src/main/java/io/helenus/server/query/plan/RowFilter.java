package io.helenus.server.query.plan;

/**
 * A restriction on one column that rows are tested for. Immutable.
 *
 * @param input where the column is found
 * @param restriction on this column alone
 */
public record RowFilter(SelectionInput input, Restriction restriction) {
  /** Whether it is decided by a partition's key and static row. */
  public boolean isOnPartition() {
    return switch (restriction.firstColumn().kind()) {
      case PARTITION_KEY, STATIC -> true;
      case CLUSTERING, REGULAR -> false;
    };
  }
}
