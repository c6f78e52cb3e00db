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

  /** The fewest candidates that a search of a graph keeps. */
  private static final int SMALLEST_WIDTH = 50;

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
      found = usesGraphs(all, count) ? searchGraphs(count) : compareAll(all, count);
      if (found.length < count && usesGraphs(all, count)) {
        found = compareAll(all, count); // not all vectors need be reachable in a graph
      }
      at = 0;
      served += found.length;
      exhausted = found.length < count;
      if (found.length > 0) {
        position = found[found.length - 1];
      }
      return found.length > 0;
    }

    private long[] compareAll(Ordinals all, int count) {
      top.begin(count, position);
      for (int i = 0; i < all.size(); i++) {
        if (i % CANCEL_EVERY == 0 && cancelled) {
          throw new CancelledException();
        }
        int ordinal = all.get(i);
        top.add(score.of(vector, source.read(ordinal, vector)), ordinal);
      }
      return top.descending();
    }

    /**
     * Whether to search the graphs: that costs about {@link #VISITED} comparisons per candidate.
     */
    private boolean usesGraphs(Ordinals all, int count) {
      int nodes = source.nodesPerGraph();
      if (nodes == 0 || all.size() < source.size()) {
        return false;
      }
      long graphs = (source.size() + nodes - 1L) / nodes;
      return graphs * VISITED * width(count) < source.size();
    }

    private int width(int count) {
      return Math.max(SMALLEST_WIDTH, 2 * (served + count));
    }

    private long[] searchGraphs(int count) {
      int nodes = source.nodesPerGraph();
      top.begin(count, position);
      for (int first = 0; first < source.size(); first += nodes) {
        if (cancelled) {
          throw new CancelledException();
        }
        int base = first;
        Graph graph = source.graph(first / nodes);
        GraphSearch search = new GraphSearch(graph.size(), graph.degree());
        search.search(
            graph, 0, node -> score.of(vector, source.read(base + node, vector)), width(count));
        for (long candidate : search.found()) {
          top.add(TopScores.score(candidate), base + TopScores.ordinal(candidate));
        }
      }
      return top.descending();
    }
  }
}
