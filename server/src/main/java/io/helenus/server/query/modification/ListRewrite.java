package io.helenus.server.query.modification;

import io.helenus.server.types.CollectionCells;
import java.util.List;

/**
 * The changes of a list of which some depend on its present elements. Immutable; any thread.
 *
 * @param column the id of the column
 * @param changes in the order of the statement; the array must not be modified
 */
record ListRewrite(int column, CollectionCells cells, ElementChange[] changes) {
  /** The rewrites of a modification. */
  record Plan(List<ListRewrite> regular, List<ListRewrite> statics) {
    /** Copies the lists. */
    public Plan {
      regular = List.copyOf(regular);
      statics = List.copyOf(statics);
    }

    boolean isEmpty() {
      return regular.isEmpty() && statics.isEmpty();
    }
  }
}
