package io.helenus.storage.nearest;

import io.helenus.storage.engine.VectorSearchCounts;

/** Counts the searches of vectors of a table in a shard. Counted on the shard, read anywhere. */
public final class VectorTally {
  private volatile VectorSearchCounts counts = VectorSearchCounts.NONE;

  /** Counts a search. Shard thread. */
  public void add(VectorSearchCounts search) {
    counts = counts.plus(search);
  }

  /** All searches so far. */
  public VectorSearchCounts counts() {
    return counts;
  }
}
