package io.helenus.storage.engine;

/**
 * When graphs of vectors are built for a file (storage/docs/index.md).
 *
 * @param fewestVectors below this number there is none: all vectors are compared
 * @param heapBytes what a graph may take of the heap while it is built; a file with more vectors
 *     has several
 * @param atOnce how many graphs may be built at the same time
 */
public record GraphLimits(int fewestVectors, long heapBytes, int atOnce) {
  /** The fewest vectors of a graph: with fewer, a search would hardly compare less. */
  public static final int FEWEST_VECTORS = 1024;

  private static final long SMALLEST = 2 << 20;
  private static final long LARGEST = 64 << 20;

  /** What suits a node: one graph per background thread, all in an eighth of its heap. */
  public static GraphLimits of(long heapBytes, int backgroundThreads) {
    return new GraphLimits(
        FEWEST_VECTORS,
        Math.clamp(heapBytes / 8 / backgroundThreads, SMALLEST, LARGEST),
        backgroundThreads);
  }
}
