package io.helenus.storage.index.vector;

/**
 * A graph over vectors with the numbers 0 to {@code size} - 1 whose edges lead to near and to
 * diverse vectors, so that a search from any of them finds the nearest ones of a vector: Vamana
 * (Subramanya et al., DiskANN, 2019) in one pass.
 */
interface Graph {
  /** How many vectors it has. */
  int size();

  /** Reads the neighbours of a vector; returns how many there are. */
  int neighbours(int node, int[] into);

  /** The most neighbours that a vector can have. */
  int degree();

  /** Scores its vectors by their similarity to a given one. */
  interface Scorer {
    /** Greater is nearer. */
    float score(int node);
  }
}
