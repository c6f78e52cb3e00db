package io.helenus.server.query.select;

import org.jspecify.annotations.Nullable;

/**
 * The order of the rows. Immutable.
 *
 * @param reversed whether the rows of a partition are returned in reverse clustering order
 * @param sortKey the key by which rows of several partitions are sorted; null if they are not
 *     sorted
 * @param nearest by which vector rows are ordered; null if they are not
 */
record Ordering(boolean reversed, @Nullable SortKey sortKey, @Nullable NearestOrder nearest) {
  /** The declared clustering order. */
  static final Ordering DECLARED = new Ordering(false, null, null);

  /** Whether rows are returned in another order than they are read in. Called for each row. */
  boolean sortsRows() {
    return sortKey != null || nearest != null;
  }

  /**
   * Consecutive clustering columns.
   *
   * @param first the position of the first one
   * @param last the position of the last one
   */
  record SortKey(int first, int last) {}
}
