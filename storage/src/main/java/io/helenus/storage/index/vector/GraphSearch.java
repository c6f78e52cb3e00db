package io.helenus.storage.index.vector;

import java.util.Arrays;

/**
 * A best-first search in a graph. The result is in {@link #found}, ascending by score. One thread
 * at a time; reusable.
 */
final class GraphSearch {
  private final long[] visited;
  private final int[] neighbours;
  private final TopScores top = new TopScores();

  /** Candidates whose neighbours have not been looked at, a heap with the best one first. */
  private long[] open = new long[64];

  private int openCount;

  /** Searches graphs of a size and a degree. */
  GraphSearch(int size, int degree) {
    visited = new long[(size + 63) >>> 6];
    neighbours = new int[degree];
  }

  /**
   * Finds the nearest vectors from an entry on.
   *
   * @param width how many candidates are kept: the more, the better the result
   */
  void search(Graph graph, int entry, Graph.Scorer scorer, int width) {
    Arrays.fill(visited, 0);
    openCount = 0;
    top.begin(width, Long.MAX_VALUE);
    visit(entry, scorer);
    while (openCount > 0) {
      long best = pop();
      if (top.isFull() && best < top.worst()) {
        break;
      }
      int count = graph.neighbours(TopScores.ordinal(best), neighbours);
      for (int i = 0; i < count; i++) {
        visit(neighbours[i], scorer);
      }
    }
  }

  private void visit(int node, Graph.Scorer scorer) {
    long bit = 1L << node;
    if ((visited[node >>> 6] & bit) != 0) {
      return;
    }
    visited[node >>> 6] |= bit;
    float score = scorer.score(node);
    long candidate = TopScores.candidate(score, node);
    if (!top.isFull() || candidate > top.worst()) {
      top.add(score, node);
      push(candidate);
    }
  }

  /** What was found, best first. */
  long[] found() {
    return top.descending();
  }

  private void push(long candidate) {
    if (openCount == open.length) {
      open = Arrays.copyOf(open, 2 * openCount);
    }
    int at = openCount++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (open[parent] >= candidate) {
        break;
      }
      open[at] = open[parent];
      at = parent;
    }
    open[at] = candidate;
  }

  private long pop() {
    long popped = open[0];
    long moved = open[--openCount];
    int at = 0;
    while (2 * at + 1 < openCount) {
      int child = 2 * at + 1;
      if (child + 1 < openCount && open[child + 1] > open[child]) {
        child++;
      }
      if (open[child] <= moved) {
        break;
      }
      open[at] = open[child];
      at = child;
    }
    open[at] = moved;
    return popped;
  }
}
