package io.helenus.storage.engine;

/**
 * The searches of the indexes of vectors of a table on this node since the start; a query is one
 * search in each shard that it reads.
 *
 * @param graphSearches those for which graphs were searched, at least of some files
 * @param exactSearches those that compared all vectors that came into question
 * @param comparedVectors vectors that all of them compared
 * @param nanos how long they took, with the reads of the rows that they found
 */
public record VectorSearchCounts(
    long graphSearches, long exactSearches, long comparedVectors, long nanos) {
  /** No searches. */
  public static final VectorSearchCounts NONE = new VectorSearchCounts(0, 0, 0, 0);

  /** The sum. */
  public VectorSearchCounts plus(VectorSearchCounts other) {
    return new VectorSearchCounts(
        graphSearches + other.graphSearches,
        exactSearches + other.exactSearches,
        comparedVectors + other.comparedVectors,
        nanos + other.nanos);
  }

  /** All searches. */
  public long searches() {
    return graphSearches + exactSearches;
  }
}
