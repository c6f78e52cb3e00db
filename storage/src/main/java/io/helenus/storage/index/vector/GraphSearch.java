package io.helenus.storage.index.vector;

import io.github.jbellis.jvector.graph.GraphSearcher;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.NodesIterator;
import io.github.jbellis.jvector.graph.SearchResult;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.util.Bits;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** Searches a graph from its first vector on. One thread. */
final class GraphSearch {
  private GraphSearch() {}

  /**
   * Finds vectors that are near to one.
   *
   * @param accepted which vectors may be found; the others are only ways to them
   * @param width how many are found: the more, the nearer are the first of them
   */
  static int[] search(Graph graph, GraphScore score, IntPredicate accepted, int width) {
    Searcher searcher = new Searcher(new FileView(graph));
    SearchResult result =
        searcher.search(score.provider(), width, width, 0, 0, (Bits) accepted::test);
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
    private final int[] neighbours;

    FileView(Graph graph) {
      this.graph = graph;
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
      for (int i = 0; i < count; i++) {
        int neighbour = neighbours[i];
        if (visited.mark(neighbour)) {
          processor.process(neighbour, score.similarityTo(neighbour));
        }
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
