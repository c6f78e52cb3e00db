package io.helenus.server.query.select;

import org.jspecify.annotations.Nullable;

/**
 * The order of the rows. Immutable.
 *
 * @param reversed rows of a partition come in the reverse of their declared order
 * @param sortKey by which rows of several partitions are sorted; null where they are not
 */
public record Ordering(boolean reversed, @Nullable SortKey sortKey) {
  /** The declared order of each partition. */
  static final Ordering DECLARED = new Ordering(false, null);

  /**
   * Consecutive clustering columns.
   *
   * @param first the position of the first one
   * @param last the position of the last one
   */
  public record SortKey(int first, int last) {}
}
