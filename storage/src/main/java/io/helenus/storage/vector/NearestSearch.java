package io.helenus.storage.vector;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The search for the vectors that are nearest to one, in several sources: it finds one batch of
 * candidates after the other, best first. A candidate may be out of date, and a row may come
 * several times. Vectors are compared by their codes first, if they have any; all candidates are
 * compared exactly. It takes a while: not for shards. One thread at a time, except {@link #cancel}.
 */
public final class NearestSearch {
  /**
   * Vectors and which of them are searched.
   *
   * @param listed of the rows that are listed, by the order of listing, those that may be here;
   *     null if all may
   */
  public record Part(VectorSource source, @Nullable BitSet listed) {}

  /** A search was cancelled. */
  private static final class CancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CancelledException() {
      super(null, null, false, false);
    }
  }

  private static final int CANCEL_EVERY = 256;
  private static final int LARGEST_BATCH = 16_384;

  /** How many candidates are kept of vectors that were all compared: not to repeat it soon. */
  private static final int KEPT = 1024;

  /** The same if there are codes: only those that may be among so many are compared exactly. */
  private static final int KEPT_OF_CODES = 24;

  /** How many codes are read ahead. */
  private static final int AHEAD = 16;

  /** How many more than are wanted are found by codes, to be compared exactly. */
  private static final int EXTRA_OF_CODES = 4;

  /**
   * The greatest part of the variance of exact scores that those by codes may leave unexplained.
   */
  private static final double UNEXPLAINED = 1.0 / 16;

  /**
   * What a search of a graph costs per candidate that it keeps, in comparisons of one vector after
   * the other: it compares at least half as many, here and there.
   */
  private static final int VISITED = 24;

  private final VectorScore score;
  private final KeyRange range;
  private final @Nullable KeyListing listing;
  private final List<Part> parts;
  private final List<Stream> streams = new ArrayList<>();
  private long vectors;
  private boolean begun;
  private boolean usesGraphs;
  private long compared;
  private volatile boolean cancelled;

  /**
   * Searches sources that stay available until it ends.
   *
   * @param listing the only rows of the range that are searched, which the first {@link #next}
   *     sorts; null for all rows
   */
  public NearestSearch(
      VectorScore score, KeyRange range, @Nullable KeyListing listing, List<Part> parts) {
    this.score = score;
    this.range = range;
    this.listing = listing;
    this.parts = List.copyOf(parts);
  }

  /** Makes a running {@link #next}, and all later ones, return false soon. Any thread. */
  public void cancel() {
    cancelled = true;
  }

  /** Whether graphs are searched; known after the first {@link #next}. */
  public boolean usesGraphs() {
    return usesGraphs;
  }

  /** How many vectors have been compared. */
  public long compared() {
    return compared;
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
      if (!begun) {
        ListedKeys listed = listing == null ? null : listing.sort();
        KeyRestriction restriction = new KeyRestriction(range, listed);
        parts.forEach(part -> begin(part, restriction));
        begun = true;
      }
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

  /** Finds out which vectors of a source are searched, and in which graphs they are. */
  private void begin(Part part, KeyRestriction restriction) {
    VectorSource source = part.source;
    Ordinals all = source.within(restriction.only(part.listed));
    vectors += all.size();
    int nodes = source.nodesPerGraph();
    if (all.size() == 0) {
      return;
    }
    if (nodes == 0 || !all.isRange()) {
      streams.add(new Stream(source, all, -1));
      return;
    }
    int end = all.get(0) + all.size();
    for (int from = all.get(0); from < end; ) {
      int index = from / nodes;
      int to = (int) Math.min(end, (index + 1L) * nodes);
      streams.add(new Stream(source, Ordinals.range(from, to), index));
      from = to;
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

  /** The candidates among the vectors of one graph, or of one source without graphs. */
  private final class Stream {
    private final VectorSource source;
    private final Ordinals all;
    private final float[] vector = new float[score.dimension()];
    private final TopScores top = new TopScores();

    /** The graph to be searched, and its first vector. */
    private @Nullable Graph graph;

    private final int first;

    /** Compares with codes, as long as these are of use. */
    private @Nullable CodeScore codes;

    private @Nullable GraphSearch search;
    private long[] found = new long[0];
    private int at;
    private int served;
    private long position = Long.MAX_VALUE;
    private boolean exhausted;

    /** Searches some vectors of a source, in a graph unless its number is negative. */
    Stream(VectorSource source, Ordinals all, int graph) {
      this.source = source;
      this.all = all;
      this.graph = graph < 0 ? null : source.graph(graph);
      first = graph < 0 ? 0 : graph * source.nodesPerGraph();
      VectorCodes available = all.size() > KEPT_OF_CODES ? source.codes() : null;
      codes = available == null ? null : score.of(available);
    }

    long head() {
      return found[at];
    }

    boolean isBetter(Stream other) {
      return TopScores.score(head()) > TopScores.score(other.head());
    }

    /** Finds more if there is nothing left; false at the end. */
    boolean fill(int wanted) {
      while (at == found.length) {
        if (exhausted) {
          return false;
        }
        int count = Math.min(LARGEST_BATCH, Math.max(share(wanted), served));
        long[] near = searchGraph(count);
        int kept = codes == null ? KEPT : KEPT_OF_CODES;
        found = near == null ? compareAll(Math.max(kept, count)) : near;
        at = 0;
        served += found.length;
        if (found.length > 0) {
          position = found[found.length - 1];
        }
      }
      return true;
    }

    /** How many of the wanted vectors are likely to be found here, and some more. */
    private int share(int wanted) {
      return (int) Math.min(wanted, 3L * wanted * all.size() / (2 * vectors) + 3);
    }

    /** Searches the graph; null if it is better to compare all vectors. */
    private long @Nullable [] searchGraph(int count) {
      Graph searched = graph;
      if (searched == null) {
        return null;
      }
      int wanted = codes == null ? count : count + EXTRA_OF_CODES;
      // a search that is continued has looked that far already
      int width = search == null ? width(wanted) : wanted;
      if (isWorthSearching(searched.size(), served + width)) {
        GraphSearch running = search;
        if (running == null) {
          running = search(searched);
          search = running;
          usesGraphs = true;
        }
        int[] nodes = running.next(wanted, width);
        if (!compare(nodes) && served == 0) {
          codes = null;
          running = search(searched);
          search = running;
          nodes = running.next(wanted, width);
          compare(nodes);
        }
        // not all vectors need be reachable
        if (nodes.length == wanted) {
          return top.descending();
        }
      }
      graph = null;
      search = null;
      return null;
    }

    /**
     * Compares what the search of a graph has found.
     *
     * @return false if the codes, by which it was found, hardly tell these vectors apart
     */
    private boolean compare(int[] nodes) {
      CodeScore byCodes = codes;
      double firstScore = 0;
      double firstError = 0;
      double scores = 0;
      double squaredScores = 0;
      double errors = 0;
      double squaredErrors = 0;
      top.begin(nodes.length, position);
      for (int i = 0; i < nodes.length; i++) {
        double exact = compare(first + nodes[i]);
        double error = byCodes == null ? 0 : exact - byCodes.of(first + nodes[i]);
        if (i == 0) {
          firstScore = exact;
          firstError = error;
        }
        scores += exact - firstScore;
        squaredScores += (exact - firstScore) * (exact - firstScore);
        errors += error - firstError;
        squaredErrors += (error - firstError) * (error - firstError);
      }
      return nodes.length * squaredErrors - errors * errors
          <= UNEXPLAINED * (nodes.length * squaredScores - scores * scores);
    }

    /** How many candidates a search for some vectors keeps, to find nearly all of them. */
    private int width(int wanted) {
      int measured = source.graphWidth();
      int few = Math.min(wanted, GraphWidth.NEAREST);
      return Math.max(wanted, measured * few / GraphWidth.NEAREST + wanted - few);
    }

    /**
     * Whether a search, which costs as many times more as the range is smaller than the graph,
     * costs less than to compare the range.
     */
    private boolean isWorthSearching(int nodes, int width) {
      return (long) VISITED * width * nodes < (long) all.size() * all.size();
    }

    private GraphSearch search(Graph searched) {
      int from = all.get(0) - first;
      int to = from + all.size();
      IntPredicate accepted = node -> node >= from && node < to;
      CodeScore byCodes = codes;
      if (byCodes != null) {
        return new GraphSearch(
            searched,
            Jvector.scores(node -> byCodes.of(visited(node))),
            node -> byCodes.readAhead(first + node),
            accepted);
      }
      GraphScore.Vectors read = (node, into) -> source.read(visited(node), into);
      return new GraphSearch(searched, score.of(read).provider(), node -> {}, accepted);
    }

    /** The number in the source of a vector to which a search of the graph has come. */
    private int visited(int node) {
      requireNotCancelled();
      compared++;
      return first + node;
    }

    private long[] compareAll(int count) {
      CodeScore byCodes = codes;
      top.begin(count, position);
      for (int i = 0; i < all.size(); i++) {
        if (i % CANCEL_EVERY == 0) {
          requireNotCancelled();
        }
        if (byCodes == null) {
          compare(all.get(i));
          continue;
        }
        if (i % AHEAD == 0) {
          for (int next = i; next < Math.min(i + AHEAD, all.size()); next++) {
            byCodes.readAhead(all.get(next));
          }
        }
        if (!top.isFull() || byCodes.atMost(all.get(i)) >= TopScores.score(top.worst())) {
          compare(all.get(i));
        } else {
          compared++;
        }
      }
      long[] best = top.descending();
      exhausted = best.length < count;
      return best;
    }

    private float compare(int ordinal) {
      compared++;
      float exact = score.of(vector, source.read(ordinal, vector));
      top.add(exact, ordinal);
      return exact;
    }

    private void requireNotCancelled() {
      if (cancelled) {
        throw new CancelledException();
      }
    }
  }
}
