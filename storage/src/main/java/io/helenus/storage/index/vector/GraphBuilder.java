package io.helenus.storage.index.vector;

import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Builds a graph by adding one vector after the other: each is connected with what a search for it
 * finds, as far as that is diverse. The neighbours are in native memory, the vectors where their
 * source has them. Deterministic. One thread.
 */
final class GraphBuilder implements Graph, AutoCloseable {
  /** Supplies the vectors. */
  interface Vectors {
    /** Reads a vector; returns the square of its length. */
    float read(int node, float[] into);
  }

  /**
   * How much nearer a vector must be to one that is already a neighbour to be left out, at first
   * and if there is room.
   */
  private static final float[] DIVERSITY = {1.0f, 1.2f};

  private final int size;
  private final int degree;
  private final int capacity;
  private final int beamWidth;
  private final Similarity similarity;
  private final Vectors vectors;
  private final SegmentSource memory;
  private final MemorySegment lists;
  private final GraphSearch search;
  private final float[] vector;
  private final float[] other;
  private final float[][] chosenVectors;
  private final float[] chosenLengths;
  private final long[] chosen;
  private final int[] list;
  private float squaredLength;

  GraphBuilder(VectorOptions options, Vectors vectors, int size, SegmentSource memory) {
    this.size = size;
    this.vectors = vectors;
    this.memory = memory;
    similarity = options.similarity();
    degree = degree(options);
    capacity = capacity(options);
    beamWidth = Math.max(options.beamWidth(), degree);
    lists = memory.take(memoryBytes(options, size));
    search = new GraphSearch(size, capacity);
    vector = new float[options.dimension()];
    other = new float[options.dimension()];
    chosenVectors = new float[degree][options.dimension()];
    chosenLengths = new float[degree];
    chosen = new long[degree];
    list = new int[capacity];
  }

  /** The most neighbours of a vector: as in the lowest layer of HNSW, where the option is from. */
  static int degree(VectorOptions options) {
    return 2 * options.nodeConnections();
  }

  /**
   * While a graph is built, lists may grow beyond their degree, so that they are cut less often.
   */
  private static int capacity(VectorOptions options) {
    return degree(options) + Math.max(1, degree(options) / 4);
  }

  /** The memory that building a graph takes. */
  static long memoryBytes(VectorOptions options, long size) {
    return size * (capacity(options) + 1L) * Integer.BYTES;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int degree() {
    return degree;
  }

  private long at(int node) {
    return (long) node * (capacity + 1) * Integer.BYTES;
  }

  @Override
  public int neighbours(int node, int[] into) {
    long at = at(node);
    int count = lists.get(ValueLayout.JAVA_INT, at);
    MemorySegment.copy(lists, ValueLayout.JAVA_INT, at + Integer.BYTES, into, 0, count);
    return count;
  }

  private void setNeighbours(int node, int count) {
    long at = at(node);
    lists.set(ValueLayout.JAVA_INT, at, count);
    for (int i = 0; i < count; i++) {
      lists.set(ValueLayout.JAVA_INT, at + Integer.BYTES * (i + 1L), TopScores.ordinal(chosen[i]));
    }
  }

  /** Adds the next vector; they are added in order. */
  void add(int node) {
    lists.set(ValueLayout.JAVA_INT, at(node), 0);
    if (node == 0) {
      return;
    }
    squaredLength = vectors.read(node, vector);
    search.search(this, 0, this::score, beamWidth);
    int count = choose(search.found());
    setNeighbours(node, count);
    int[] connected = new int[count];
    for (int i = 0; i < count; i++) {
      connected[i] = TopScores.ordinal(chosen[i]);
    }
    for (int neighbour : connected) {
      connect(neighbour, node);
    }
  }

  private float score(int node) {
    float length = vectors.read(node, other);
    return VectorScore.between(similarity, vector, squaredLength, other, length);
  }

  private void connect(int from, int to) {
    long at = at(from);
    int count = lists.get(ValueLayout.JAVA_INT, at);
    if (count == capacity) {
      count = cut(from);
    }
    lists.set(ValueLayout.JAVA_INT, at + Integer.BYTES * (count + 1L), to);
    lists.set(ValueLayout.JAVA_INT, at, count + 1);
  }

  /** Leaves the best neighbours of a vector, as many as its degree allows; returns how many. */
  int cut(int node) {
    int count = neighbours(node, list);
    if (count <= degree) {
      return count;
    }
    squaredLength = vectors.read(node, vector);
    long[] candidates = new long[count];
    for (int i = 0; i < count; i++) {
      candidates[i] = -TopScores.candidate(score(list[i]), list[i]);
    }
    java.util.Arrays.sort(candidates);
    for (int i = 0; i < count; i++) {
      candidates[i] = -candidates[i];
    }
    int kept = choose(candidates);
    setNeighbours(node, kept);
    return kept;
  }

  /** Chooses neighbours for {@code vector} from candidates, best first; returns how many. */
  private int choose(long[] candidates) {
    int count = 0;
    boolean[] taken = new boolean[candidates.length];
    for (float diversity : DIVERSITY) {
      for (int i = 0; i < candidates.length && count < degree; i++) {
        if (!taken[i] && isDiverse(candidates[i], count, diversity)) {
          taken[i] = true;
          chosen[count++] = candidates[i];
        }
      }
    }
    return count;
  }

  /** Reads a candidate's vector; whether none that is chosen is much nearer to it. */
  private boolean isDiverse(long candidate, int count, float diversity) {
    float[] into = chosenVectors[count];
    float length = vectors.read(TopScores.ordinal(candidate), into);
    chosenLengths[count] = length;
    float limit = diversity * TopScores.score(candidate);
    for (int i = 0; i < count; i++) {
      if (VectorScore.between(similarity, into, length, chosenVectors[i], chosenLengths[i])
          > limit) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    memory.giveBack(lists);
  }
}
