package io.helenus.storage.vector;

/**
 * A graph over vectors with the numbers 0 to {@code size} - 1 whose edges lead to near and to
 * diverse vectors, so that a search from the first one finds the nearest ones of a vector: Vamana
 * (Subramanya et al., DiskANN, 2019).
 */
interface Graph {
  /** How many vectors it has. */
  int size();

  /** Reads the neighbours of a vector; returns how many there are. */
  int neighbours(int node, int[] into);

  /** The most neighbours that a vector can have. */
  int degree();
}
