package io.helenus.storage.vector;

import io.github.jbellis.jvector.graph.GraphSearcher;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.NodesIterator;
import io.github.jbellis.jvector.graph.SearchResult;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.util.Bits;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** A search of a graph from its first vector on, which can be continued. One thread. */
final class GraphSearch {
  private final SearchScoreProvider scores;
  private final Bits accepted;
  private final Searcher searcher;
  private boolean begun;

  /**
   * A search for the vectors that are near to one.
   *
   * @param announced is given the numbers of vectors before the scores of any of these are needed
   * @param accepted which vectors may be found; the others are only ways to them
   */
  GraphSearch(
      Graph graph, SearchScoreProvider scores, IntConsumer announced, IntPredicate accepted) {
    this.scores = scores;
    this.accepted = accepted::test;
    searcher = new Searcher(new FileView(graph, announced));
  }

  /**
   * Finds the nearest vectors that have not been found yet.
   *
   * @param count how many; fewer are found at the end
   * @param width how many it looks for, at least {@code count}: the more, the nearer are those that
   *     are found
   */
  int[] next(int count, int width) {
    SearchResult result =
        begun
            ? searcher.resume(count, width)
            : searcher.search(scores, count, width, 0, 0, accepted);
    begun = true;
    SearchResult.NodeScore[] nodes = result.getNodes();
    int[] found = new int[nodes.length];
    for (int i = 0; i < found.length; i++) {
      found[i] = nodes[i].node;
    }
    return found;
  }

  /** Makes the constructor for a view visible. */
  private static final class Searcher extends GraphSearcher {
    Searcher(ImmutableGraphIndex.View view) {
      super(view);
    }
  }

  /** What the library sees of a graph. */
  private static final class FileView implements ImmutableGraphIndex.View {
    private final Graph graph;
    private final IntConsumer announced;
    private final int[] neighbours;

    FileView(Graph graph, IntConsumer announced) {
      this.graph = graph;
      this.announced = announced;
      neighbours = new int[graph.degree()];
    }

    @Override
    public void processNeighbors(
        int level,
        int node,
        ScoreFunction score,
        ImmutableGraphIndex.IntMarker visited,
        ImmutableGraphIndex.NeighborProcessor processor) {
      int count = graph.neighbours(node, neighbours);
      int unvisited = 0;
      for (int i = 0; i < count; i++) {
        int neighbour = neighbours[i];
        if (visited.mark(neighbour)) {
          announced.accept(neighbour);
          neighbours[unvisited++] = neighbour;
        }
      }
      for (int i = 0; i < unvisited; i++) {
        processor.process(neighbours[i], score.similarityTo(neighbours[i]));
      }
    }

    @Override
    public NodesIterator getNeighborsIterator(int level, int node) {
      int[] copy = new int[neighbours.length];
      int count = graph.neighbours(node, copy);
      return NodesIterator.fromPrimitiveIterator(Arrays.stream(copy, 0, count).iterator(), count);
    }

    @Override
    @SuppressWarnings("deprecation") // but abstract
    public int size() {
      return graph.size();
    }

    @Override
    public ImmutableGraphIndex.NodeAtLevel entryNode() {
      return new ImmutableGraphIndex.NodeAtLevel(0, 0);
    }

    @Override
    public Bits liveNodes() {
      return Bits.ALL;
    }

    @Override
    public boolean contains(int level, int node) {
      return level == 0 && node < graph.size();
    }

    @Override
    public void close() {}
  }
}
