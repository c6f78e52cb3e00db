package io.helenus.storage.vector;

import io.helenus.storage.engine.IndexDescriptor.VectorOptions;

/**
 * Measures how wide the searches of a graph must be: how many candidates they must keep so that
 * they find nearly all of the {@link #NEAREST} nearest vectors. That depends on the vectors: if
 * they lie in clusters, a few more than are wanted; if they have no structure at all, hundreds. The
 * vectors that are searched for are some of the graph's own, as if these were not in it. It takes a
 * few hundredths of the time to build the graph. One thread.
 */
final class GraphWidth {
  /** The number of nearest vectors for which it is measured. */
  static final int NEAREST = 10;

  /** The most that is measured: beyond it, searches stay incomplete. */
  static final int LARGEST = 512;

  private static final double FOUND = 0.98;

  /** After some queries a width is given up with which they have found less than this. */
  private static final double FOUND_AT_FIRST = 0.9;

  private static final int FIRST_QUERIES = 10;

  /** So many that it is not by chance that these find enough: a search finds mostly all or none. */
  private static final int QUERIES = 100;

  /** How many vectors a query is compared with in the time in which one is added to a graph. */
  private static final int COMPARED_PER_VECTOR = 2000;

  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  private final Graph graph;
  private final GraphScore score;
  private final int[][] nearest;
  private int width = NEAREST;

  // searches of this width, and how many vectors they should have found and have found
  private int queries;
  private int wanted;
  private int found;

  /** Begins to measure the width for a graph. */
  GraphWidth(VectorOptions options, Graph graph, GraphScore.Vectors vectors) {
    this.graph = graph;
    score = Jvector.score(options.similarity(), new float[options.dimension()], 0, vectors);
    nearest = new int[graph.size() > 2 * QUERIES ? QUERIES : 0][];
  }

  /**
   * Goes on, for about as long as it takes to add some vectors to a graph.
   *
   * @return whether the width is known
   */
  boolean measure(int vectors) {
    long most = 1 + (long) vectors * COMPARED_PER_VECTOR / Math.max(1, graph.size());
    for (long i = 0; i < most && !isMeasured(); i++) {
      search();
    }
    return isMeasured();
  }

  /** How wide searches must be. */
  int width() {
    return width;
  }

  private boolean isMeasured() {
    return width == LARGEST || (queries == nearest.length && found >= FOUND * wanted);
  }

  /** Searches for the next vector, and tries a greater width if too few have been found. */
  private void search() {
    int node = node(queries);
    GraphScore compared = score.base(node);
    int[] expected = nearest[queries];
    if (expected == null) {
      expected = nearest(compared, node);
      nearest[queries] = expected;
    }
    GraphSearch search =
        new GraphSearch(new Without(graph, node), compared.provider(), any -> {}, any -> true);
    for (int each : search.next(NEAREST, width)) {
      for (int near : expected) {
        found += each == near ? 1 : 0;
      }
    }
    wanted += expected.length;
    queries++;
    boolean tooFew =
        queries == nearest.length
            ? found < FOUND * wanted
            : queries >= FIRST_QUERIES && found < FOUND_AT_FIRST * wanted;
    if (tooFew) {
      width = Math.min(LARGEST, width + Math.max(2, width / 4));
      queries = 0;
      wanted = 0;
      found = 0;
    }
  }

  /** One of some vectors that are as evenly distributed as can be, but not at regular distances. */
  private int node(int number) {
    double part = (number + 1) * GOLDEN_RATIO % 1;
    // not the first one, where searches start
    return 1 + (int) ((graph.size() - 1) * part);
  }

  private int[] nearest(GraphScore compared, int node) {
    TopScores top = new TopScores();
    top.begin(NEAREST, Long.MAX_VALUE);
    for (int each = 0; each < graph.size(); each++) {
      if (each != node) {
        top.add(compared.similarityTo(each), each);
      }
    }
    long[] best = top.descending();
    int[] nodes = new int[best.length];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = TopScores.ordinal(best[i]);
    }
    return nodes;
  }

  /** A graph without one of its vectors. */
  private record Without(Graph graph, int omitted) implements Graph {
    @Override
    public int size() {
      return graph.size();
    }

    @Override
    public int degree() {
      return graph.degree();
    }

    @Override
    public int neighbours(int node, int[] into) {
      int all = graph.neighbours(node, into);
      int count = 0;
      for (int i = 0; i < all; i++) {
        if (into[i] != omitted) {
          into[count++] = into[i];
        }
      }
      return count;
    }
  }
}
