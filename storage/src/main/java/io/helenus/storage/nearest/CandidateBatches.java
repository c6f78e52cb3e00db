package io.helenus.storage.nearest;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.vector.NearestCandidates;
import io.helenus.storage.vector.NearestSearch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The candidates that a search finds, batch by batch: each is searched for off the shard, while the
 * shard waits for it. Shard thread only.
 */
final class CandidateBatches {
  private final VectorReads searches;
  private final VectorSources index;
  private final Runnable whenIdle;

  /** Belongs to the search while it runs. */
  private final NearestCandidates found = new NearestCandidates();

  private @Nullable NearestSearch search;
  private @Nullable BatchSizes sizes;
  private @Nullable Runnable continuation;
  private @Nullable StorageException failure;
  private boolean searching;
  private boolean closed;
  private boolean last;
  private int at;

  /** How many candidates the batches before had. */
  private int passed;

  private long compared;
  private boolean usesGraphs;

  /**
   * Candidates of an index.
   *
   * @param whenIdle called after {@link #close}, when a search that was running has ended
   */
  CandidateBatches(VectorReads searches, VectorSources index, Runnable whenIdle) {
    this.searches = searches;
    this.index = index;
    this.whenIdle = whenIdle;
  }

  boolean hasBegun() {
    return search != null;
  }

  /** Sets the search, before the first batch. */
  void begin(NearestSearch newSearch, BatchSizes newSizes) {
    search = newSearch;
    sizes = newSizes;
  }

  boolean isSearching() {
    return searching;
  }

  /** Whether there are candidates left in the batch. */
  boolean hasNext() {
    return at < found.size();
  }

  /** Moves to the next candidate and returns its number in {@link #found}. */
  int next() {
    return at++;
  }

  /** The present batch, always in the same object. Not while it is searched for. */
  NearestCandidates found() {
    return found;
  }

  /** Whether there is no batch after this one. */
  boolean isLast() {
    return last;
  }

  /**
   * Starts to search for the next batch.
   *
   * @param kept how many of the candidates so far have been kept
   */
  void search(int kept) {
    NearestSearch started = Objects.requireNonNull(search);
    int count = Objects.requireNonNull(sizes).next(passed, kept);
    searching = true;
    searches.search().execute(() -> searchOffShard(started, count));
  }

  private void searchOffShard(NearestSearch started, int count) {
    boolean ended = false;
    StorageException problem = null;
    try {
      // what was cancelled is not looked at any more
      ended = !started.next(count, found) || found.size() < count;
    } catch (StorageException damage) {
      problem = damage;
    } catch (Throwable e) {
      Exception contained = searches.fatal().contain(e);
      problem =
          new StorageException(
              "index " + index.indexId() + " cannot be searched: " + contained.getMessage(),
              contained);
    }
    boolean isLastBatch = ended;
    StorageException outcome = problem;
    searches.shard().execute(() -> searched(started, isLastBatch, outcome));
  }

  private void searched(
      NearestSearch ended, boolean isLastBatch, @Nullable StorageException problem) {
    searching = false;
    last = isLastBatch;
    if (problem != null && failure == null) {
      failure = problem;
      index.onDamage().run();
    }
    at = 0;
    passed += found.size();
    compared = ended.compared();
    usesGraphs = ended.usesGraphs();
    if (closed) {
      whenIdle.run();
      return;
    }
    Runnable next = continuation;
    if (next != null) {
      continuation = null;
      next.run();
    }
  }

  /** Raises the failure of a search. */
  void requireNoFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Calls back once the running search has ended. */
  void whenReady(Runnable newContinuation) {
    continuation = newContinuation;
  }

  /**
   * Cancels the search, and counts it.
   *
   * @param nanos how long the read has taken
   */
  void close(long nanos) {
    closed = true;
    continuation = null;
    NearestSearch running = search;
    if (running != null) {
      running.cancel();
      index
          .onSearched()
          .accept(new VectorSearchCounts(usesGraphs ? 1 : 0, usesGraphs ? 0 : 1, compared, nanos));
    }
  }
}
