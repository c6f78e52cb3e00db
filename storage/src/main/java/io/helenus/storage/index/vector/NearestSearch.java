package io.helenus.storage.index.vector;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search for the vectors that are nearest to one, in several sources: it finds one batch of
 * candidates after the other, best first. A candidate may be out of date, and a row may come
 * several times. It takes a while: not for shards. One thread at a time, except {@link #cancel}.
 */
public final class NearestSearch {
  /** A search was cancelled. */
  private static final class CancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CancelledException() {
      super(null, null, false, false);
    }
  }

  private static final int CANCEL_EVERY = 256;
  private static final int LARGEST_BATCH = 16_384;

  /** The fewest vectors that a search of a graph looks for: more in a large graph. */
  private static final int SMALLEST_WIDTH = 50;

  private static final int VECTORS_PER_WIDTH = 1000;

  /** How many vectors a search of a graph compares per candidate that it keeps. */
  private static final int VISITED = 12;

  private final VectorScore score;
  private final List<Stream> streams = new ArrayList<>();
  private volatile boolean cancelled;

  /** Searches sources that stay available until it ends. */
  public NearestSearch(VectorScore score, List<VectorSource> sources, KeyRestriction restriction) {
    this.score = score;
    for (VectorSource source : sources) {
      if (source.size() > 0) {
        streams.add(new Stream(source, restriction));
      }
    }
  }

  /** Makes a running {@link #next}, and all later ones, return false soon. Any thread. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Finds the next candidates.
   *
   * @param count how many; fewer are found at the end
   * @return false if the search was cancelled
   */
  public boolean next(int count, NearestCandidates found) {
    found.clear();
    try {
      while (found.size() < count) {
        Stream best = best(Math.min(LARGEST_BATCH, count - found.size()));
        if (best == null) {
          break;
        }
        found.add(TopScores.score(best.head()), best.source, TopScores.ordinal(best.head()));
        best.at++;
      }
      return true;
    } catch (CancelledException e) {
      return false;
    }
  }

  private @Nullable Stream best(int wanted) {
    Stream best = null;
    for (Stream stream : streams) {
      if (stream.fill(wanted) && (best == null || stream.isBetter(best))) {
        best = stream;
      }
    }
    return best;
  }

  /** The candidates of one source. */
  private final class Stream {
    private final VectorSource source;
    private final KeyRestriction restriction;
    private final float[] vector = new float[score.dimension()];
    private final TopScores top = new TopScores();
    private @Nullable Ordinals ordinals;
    private long[] found = new long[0];
    private int at;
    private int served;
    private long position = Long.MAX_VALUE;
    private boolean exhausted;

    Stream(VectorSource source, KeyRestriction restriction) {
      this.source = source;
      this.restriction = restriction;
    }

    long head() {
      return found[at];
    }

    boolean isBetter(Stream other) {
      return TopScores.score(head()) > TopScores.score(other.head());
    }

    /** Finds more if there is nothing left; false at the end. */
    boolean fill(int wanted) {
      if (at < found.length) {
        return true;
      }
      if (exhausted) {
        return false;
      }
      Ordinals all = ordinals;
      if (all == null) {
        all = source.within(restriction);
        ordinals = all;
      }
      int count = Math.min(LARGEST_BATCH, Math.max(wanted, 2 * served));
      found = find(all, count);
      at = 0;
      served += found.length;
      exhausted = found.length < count;
      if (found.length > 0) {
        position = found[found.length - 1];
      }
      return found.length > 0;
    }

    private long[] find(Ordinals all, int count) {
      top.begin(count, position);
      if (source.nodesPerGraph() == 0 || !all.isRange()) {
        compare(all, 0, all.size());
      } else if (all.size() > 0 && searchGraphs(all.get(0), all.size(), count)) {
        long[] near = top.descending();
        if (near.length == count) {
          return near;
        }
        top.begin(count, position); // not all vectors need be reachable in a graph
        compare(all, 0, all.size());
      }
      return top.descending();
    }

    private void compare(Ordinals all, int from, int to) {
      for (int i = from; i < to; i++) {
        compare(all.get(i), i);
      }
    }

    private void compare(int ordinal, int counted) {
      if (counted % CANCEL_EVERY == 0 && cancelled) {
        throw new CancelledException();
      }
      top.add(score.of(vector, source.read(ordinal, vector)), ordinal);
    }

    /**
     * Searches the graphs of a range of vectors, and compares what would cost more to find in one.
     *
     * @return whether any graph was searched
     */
    private boolean searchGraphs(int start, int size, int count) {
      int nodes = source.nodesPerGraph();
      boolean searched = false;
      for (int index = start / nodes; index * (long) nodes < (long) start + size; index++) {
        Graph graph = source.graph(index);
        int first = index * nodes;
        int from = Math.max(start, first);
        int to = Math.min(start + size, first + graph.size());
        int width = width(graph.size(), count);
        if (isWorthSearching(graph.size(), to - from, width)) {
          searched = true;
          search(graph, first, from, to, width);
        } else {
          for (int ordinal = from; ordinal < to; ordinal++) {
            compare(ordinal, ordinal - from);
          }
        }
      }
      return searched;
    }

    /**
     * Whether a search, which compares about {@link #VISITED} vectors per candidate, and as many
     * more as the range is smaller than the graph, costs less than to compare the range.
     */
    private boolean isWorthSearching(int nodes, int inRange, int width) {
      return (long) VISITED * width * nodes < (long) inRange * inRange;
    }

    private int width(int nodes, int count) {
      return Math.max(Math.max(SMALLEST_WIDTH, nodes / VECTORS_PER_WIDTH), served + count);
    }

    private void search(Graph graph, int first, int from, int to, int width) {
      GraphScore.Vectors vectors =
          (node, into) -> {
            if (cancelled) {
              throw new CancelledException();
            }
            return source.read(first + node, into);
          };
      for (int node :
          GraphSearch.search(
              graph, score.of(vectors), node -> first + node >= from && first + node < to, width)) {
        compare(first + node, 1);
      }
    }
  }
}
