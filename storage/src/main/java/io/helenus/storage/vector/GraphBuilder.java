package io.helenus.storage.vector;

import io.github.jbellis.jvector.graph.GraphIndexBuilder;
import io.github.jbellis.jvector.graph.ImmutableGraphIndex;
import io.github.jbellis.jvector.graph.NodesIterator;
import io.github.jbellis.jvector.graph.similarity.BuildScoreProvider;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import java.io.IOException;
import java.util.concurrent.ForkJoinPool;

/**
 * Builds a graph by adding one vector after the other, on the thread that adds them. The graph is
 * on the heap, the vectors are where their source has them. Deterministic. One thread.
 */
final class GraphBuilder implements AutoCloseable {
  /** The library's own recommendations: longer edges, and lists that are cut less often. */
  private static final float ALPHA = 1.2f;

  private static final float OVERFLOW = 1.2f;

  /** Per vector, besides the numbers and scores of its neighbours: objects and their references. */
  private static final int NODE_BYTES = 96;

  private final GraphIndexBuilder graph;
  private final Scores scores;
  private int size;

  GraphBuilder(VectorOptions options, GraphScore.Vectors vectors) {
    // made before any class of the library is used (Jvector)
    GraphScore added = score(options, vectors);
    GraphScore neighbour = score(options, vectors);
    scores = new Scores(added, neighbour);
    graph = builder(options, scores);
  }

  /** What is to be used instead of this constructor asks a JMX bean whether to make layers. */
  @SuppressWarnings("deprecation")
  private static GraphIndexBuilder builder(VectorOptions options, Scores scores) {
    // These would run what is not called here: a search on threads of the library, and a clean-up,
    // which removes vectors and cuts the lists that are longer than their degree.
    ForkJoinPool unused = ForkJoinPool.commonPool();
    return new GraphIndexBuilder(
        scores,
        options.dimension(),
        listed(options),
        Math.max(options.beamWidth(), listed(options)),
        OVERFLOW,
        ALPHA,
        false,
        false,
        unused,
        unused);
  }

  private static GraphScore score(VectorOptions options, GraphScore.Vectors vectors) {
    return Jvector.score(options.similarity(), new float[options.dimension()], 0, vectors);
  }

  /** To how many neighbours a list is cut: as in the lowest layer of HNSW. */
  private static int listed(VectorOptions options) {
    return 2 * options.nodeConnections();
  }

  /** The most neighbours of a vector: lists are cut only when they exceed it. */
  static int degree(VectorOptions options) {
    return (int) (listed(options) * OVERFLOW);
  }

  /** The heap that building a graph takes for each vector. */
  static long bytesPerVector(VectorOptions options) {
    return NODE_BYTES + (degree(options) + 1L) * (Integer.BYTES + Float.BYTES);
  }

  /** Adds the next vector. */
  void add() {
    long ignored = graph.addGraphNode(size, scores.searchProviderFor(size));
    size++;
  }

  /** How many vectors have been added. */
  int size() {
    return size;
  }

  /** The graph, once it is finished. */
  Graph built(VectorOptions options) {
    return new Built(graph.getGraph().getView(), size, degree(options));
  }

  private record Built(ImmutableGraphIndex.View view, int size, int degree) implements Graph {
    @Override
    public int neighbours(int node, int[] into) {
      int count = 0;
      for (NodesIterator nodes = view.getNeighborsIterator(0, node); nodes.hasNext(); ) {
        into[count++] = nodes.nextInt();
      }
      return count;
    }
  }

  @Override
  public void close() throws IOException {
    graph.close();
  }

  /** Compares the vectors. Two comparisons are under way at a time: of the one that is added. */
  private static final class Scores implements BuildScoreProvider {
    private final GraphScore added;
    private final GraphScore neighbour;

    Scores(GraphScore added, GraphScore neighbour) {
      this.added = added;
      this.neighbour = neighbour;
    }

    @Override
    public boolean isExact() {
      return true;
    }

    @Override
    public SearchScoreProvider searchProviderFor(int node) {
      return added.base(node).provider();
    }

    @Override
    public SearchScoreProvider diversityProviderFor(int node) {
      return neighbour.base(node).provider();
    }

    @Override
    public ScoreFunction diversityScoreFunctionFor(int node) {
      return neighbour.base(node);
    }

    @Override
    public SearchScoreProvider searchProviderFor(VectorFloat<?> vector) {
      throw new UnsupportedOperationException("vectors are added by their numbers");
    }

    @Override
    public VectorFloat<?> approximateCentroid() {
      throw new UnsupportedOperationException("only for compressed vectors");
    }
  }
}
