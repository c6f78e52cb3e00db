package io.helenus.server.query.select;

import org.jspecify.annotations.Nullable;

/**
 * The order of the rows. Immutable.
 *
 * @param reversed whether the rows of a partition are returned in reverse clustering order
 * @param sortKey the key by which rows of several partitions are sorted; null if they are not
 *     sorted
 */
public record Ordering(boolean reversed, @Nullable SortKey sortKey) {
  /** The declared clustering order. */
  static final Ordering DECLARED = new Ordering(false, null);

  /** Whether rows of several partitions are sorted. Called for each row. */
  boolean sortsPartitions() {
    return sortKey != null;
  }

  /**
   * Consecutive clustering columns.
   *
   * @param first the position of the first one
   * @param last the position of the last one
   */
  public record SortKey(int first, int last) {}
}
