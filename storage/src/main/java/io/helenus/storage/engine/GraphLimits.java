package io.helenus.storage.engine;

/**
 * When graphs of vectors are built for a file (storage/docs/index.md).
 *
 * @param fewestVectors below this number there is none: all vectors are compared
 * @param heapBytes what a graph may take of the heap while it is built, which each background
 *     thread may do; a file with more vectors has several
 */
public record GraphLimits(int fewestVectors, long heapBytes) {
  private static final int FEWEST_VECTORS = 4096;
  private static final long SMALLEST = 2 << 20;
  private static final long LARGEST = 64 << 20;

  /** What suits a node: an eighth of its heap for all background threads together. */
  public static GraphLimits of(long heapBytes, int backgroundThreads) {
    return new GraphLimits(
        FEWEST_VECTORS, Math.clamp(heapBytes / 8 / backgroundThreads, SMALLEST, LARGEST));
  }
}
