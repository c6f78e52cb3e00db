package io.helenus.storage.nearest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.env.Clock;
import io.helenus.storage.lookup.FoundKeys;
import io.helenus.storage.lookup.IndexBlocks;
import io.helenus.storage.lookup.IndexRead;
import io.helenus.storage.lookup.TermSources;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.vector.KeyRestriction;
import io.helenus.storage.vector.NearestCandidates;
import io.helenus.storage.vector.NearestSearch;
import io.helenus.storage.vector.VectorScore;
import io.helenus.storage.vector.VectorSource;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A read of the rows whose vectors are the nearest to one. If the request also has terms of another
 * index, it lists the keys that this finds, unless there are many; then it searches the vectors off
 * the shard, batch by batch, and reads each row that is found. A row is passed on where its present
 * vector belongs in the order: found by an older vector, it is skipped, for the present one has an
 * entry too. All of it is as of one snapshot. Shard thread only.
 */
public final class NearestRead implements ReadCursor {
  private static final long SLICE_NANOS = 200_000;
  private static final int CLOCK_EVERY = 16;

  private static final int SMALLEST_BATCH = 16;
  private static final int LARGEST_BATCH = 4096;

  /** How many keys another index may find so that only their vectors are compared. */
  private static final int SMALLEST_KEYS_LIMIT = 2048;

  private static final int LARGEST_KEYS_LIMIT = 250_000;

  private final ShardReads rows;
  private final VectorReads searches;
  private final TableSources sources;
  private final VectorSources index;
  private final ReadRequest request;
  private final Clock clock;
  private final Snapshots.Snapshot snapshot = new Snapshots.Snapshot();
  private final List<VectorSource> vectors;
  private final KeyRestriction restriction;
  private final IndexBlocks blocks;

  /** How many vectors there are, some of which may be out of date. */
  private final double all;

  private final NearestCandidates found = new NearestCandidates();
  private final NearestOutput output;
  private final ReadRequest row = new ReadRequest();
  private final boolean hasVector;
  private final int[] vectorColumn;
  private @Nullable FoundKeys filter;
  private @Nullable NearestSearch search;
  private @Nullable ReadCursor reading;
  private @Nullable Runnable continuation;
  private @Nullable StorageException failure;
  private List<BitSet> listed = List.of();
  private boolean announced;
  private boolean searching;
  private boolean blocksIdle;
  private boolean released;

  /** What the row is being read for. */
  private NearestOutput.Reads reads = NearestOutput.Reads.CHECK;

  private int at;
  private boolean lastBatch;

  private long compared;
  private boolean usesGraphs;

  /** How many candidates the batches before had. */
  private int passed;

  /** Which share of the candidates is likely to be kept, before the first batch. */
  private double likelyShare = 1;

  private boolean open = true;
  private int rowsRead;
  private int tombstonesRead;
  private int work;
  private long sliceStart;
  private final long start;

  /** Opens it. The request must not change until it is closed. */
  public NearestRead(
      ShardReads rows,
      VectorReads searches,
      TableSources sources,
      VectorSources index,
      ReadRequest request) {
    this.rows = rows;
    this.searches = searches;
    this.sources = sources;
    this.index = index;
    this.request = request;
    clock = rows.clock();
    start = clock.nanos();
    vectorColumn = new int[] {index.index().columnId()};
    hasVector =
        !request.columns().areRestricted()
            || Arrays.binarySearch(request.columns().ids(), vectorColumn[0]) >= 0;
    output = new NearestOutput(index.index(), request);
    restriction =
        request.keys().isPartition()
            ? KeyRestriction.partition(
                request.segment(), 0, request.keys().lowerLength(), searches.memory())
            : KeyRestriction.range(
                request.segment(),
                0,
                request.keys().lowerLength(),
                request.keys().upperLength(),
                searches.memory());
    vectors = index.now();
    all = vectors.stream().mapToLong(VectorSource::size).sum();
    sources.retain();
    blocks = new IndexBlocks(rows.cache(), this::blocksIdle, this::filterDamaged);
    rows.snapshots().open(snapshot);
    openFilter();
  }

  /**
   * Comparing a vector costs less than looking for one in a graph and reading a row in vain: with n
   * vectors and m keys n/m rows are read for each that is kept.
   */
  private int keysLimit() {
    double limit = 8 * Math.sqrt(all * request.lookup().nearestCount());
    return (int) Math.clamp(limit, SMALLEST_KEYS_LIMIT, LARGEST_KEYS_LIMIT);
  }

  private void filterDamaged() {
    TermSources terms = TermSources.of(sources, request.lookup().indexId());
    if (terms != null) {
      terms.onDamage().run();
    }
  }

  private void openFilter() {
    TermSources terms =
        request.lookup().indexId() == 0
            ? null
            : TermSources.of(sources, request.lookup().indexId());
    if (terms != null) {
      filter =
          new FoundKeys(
              terms, request, blocks, restriction, index.rows(), this::isTimeUp, keysLimit());
    }
  }

  @Override
  public Status advance(RowSink sink) {
    if (!open) {
      throw new IllegalStateException("the cursor is closed");
    }
    blocks.requireNoFailure();
    if (failure != null) {
      throw failure;
    }
    work = 0;
    sliceStart = clock.nanos();
    output.sink(sink);
    if (!announced) {
      announced = true;
      if (sink.indexFiles(index.files().size()) == RowSink.Next.STOP) {
        return Status.STOPPED;
      }
    }
    while (true) {
      if (searching) {
        return Status.WAITING;
      }
      ReadCursor current = reading;
      if (current != null) {
        Status status = current.advance(output.sinkOf(reads));
        if (status != Status.DONE) {
          return status;
        }
        endReading(current);
      } else if (filter != null) {
        Status status = list(filter);
        if (status != Status.DONE) {
          return status;
        }
      } else if (output.kept() >= request.lookup().nearestCount()) {
        return Status.DONE;
      } else if (at < found.size()) {
        readCandidate();
      } else if (lastBatch) {
        return Status.DONE;
      } else {
        startSearch();
      }
      if (reading == null && isTimeUp()) {
        return Status.YIELD;
      }
    }
  }

  private boolean isTimeUp() {
    return ++work % CLOCK_EVERY == 0 && clock.nanos() - sliceStart >= SLICE_NANOS;
  }

  /** Lists the keys that the other index finds; DONE at the end. */
  private Status list(FoundKeys keys) {
    switch (keys.advance()) {
      case WAITING -> {
        return Status.WAITING;
      }
      case YIELD -> {
        return Status.YIELD;
      }
      case TOO_MANY -> {
        // so many that the sink may reject the other rows
        restriction.unlist();
        likelyShare = keys.estimated() == 0 ? 1 : Math.min(1, keys.estimated() / all);
      }
      case END -> listed = keys.inFiles();
    }
    closeFilter(keys);
    return Status.DONE;
  }

  private void closeFilter(FoundKeys keys) {
    filter = null;
    keys.close();
  }

  private void startSearch() {
    NearestSearch running = search;
    if (running == null) {
      VectorScore score =
          new VectorScore(
              Objects.requireNonNull(index.index().vectors()),
              request.segment(),
              request.lookup().vectorOffset(),
              request.lookup().vectorLength());
      running = new NearestSearch(score, index.parts(vectors, restriction, listed));
      search = running;
    }
    NearestSearch started = running;
    int count = nextBatch();
    searching = true;
    searches.search().execute(() -> search(started, count));
  }

  /** How many candidates are likely to be enough. */
  private int nextBatch() {
    int wanted = request.lookup().nearestCount();
    if (passed == 0) {
      // two standard deviations more than are enough on average
      long likely =
          likelyShare == 1
              ? wanted + wanted / 2
              : (long) ((wanted + 2 * Math.sqrt(wanted)) / likelyShare);
      return Math.clamp(likely, SMALLEST_BATCH, LARGEST_BATCH);
    }
    double share = Math.min(1, (output.kept() + 1.0) / passed);
    long likely = (long) (1.2 * (wanted - output.kept()) / share);
    return Math.clamp(Math.max(likely, passed / 2), SMALLEST_BATCH, LARGEST_BATCH);
  }

  /** Off the shard. */
  private void search(NearestSearch started, int count) {
    StorageException problem = null;
    try {
      // what was cancelled is not looked at any more
      lastBatch = !started.next(count, found) || found.size() < count;
    } catch (StorageException damage) {
      problem = damage;
    } catch (Throwable e) {
      Exception contained = searches.fatal().contain(e);
      problem =
          new StorageException(
              "index " + index.indexId() + " cannot be searched: " + contained.getMessage(),
              contained);
    }
    StorageException outcome = problem;
    searches.shard().execute(() -> searched(outcome));
  }

  private void searched(@Nullable StorageException problem) {
    searching = false;
    if (problem != null && failure == null) {
      failure = problem;
      index.onDamage().run();
    }
    at = 0;
    passed += found.size();
    NearestSearch ended = search;
    if (ended != null) {
      compared = ended.compared();
      usesGraphs = ended.usesGraphs();
    }
    if (!open) {
      releaseIfIdle();
      return;
    }
    Runnable next = continuation;
    if (next != null) {
      continuation = null;
      next.run();
    }
  }

  /** Starts to read the row of the next candidate, unless it is not wanted. */
  private void readCandidate() {
    int candidate = at++;
    ByteWriter keys = found.keys();
    int offset = found.keyOffset(candidate);
    int length = found.keyLength(candidate);
    int prefix = found.prefixLength(candidate);
    if (!IndexRead.isInSlices(request, keys.segment(), offset + prefix, length - prefix)
        || !output.begin(keys.segment(), offset, length, found.score(candidate))) {
      return;
    }
    row.resetLike(request);
    if (hasVector && !request.keys().isStaticWanted() && output.passesNoElements()) {
      reads = NearestOutput.Reads.CHECK_AND_PASS;
    } else {
      reads = NearestOutput.Reads.CHECK;
      row.wantsStatic(false).columns(vectorColumn);
    }
    openRow(keys, offset, length, prefix);
  }

  private void openRow(ByteWriter keys, int offset, int length, int prefix) {
    row.partition(keys.segment(), offset, prefix);
    if (reads != NearestOutput.Reads.CHECK) {
      row.addElementsOf(request);
    }
    row.addRow(keys.segment(), offset + prefix, length - prefix);
    row.tombstoneLimit(request.limits().tombstones() - tombstonesRead);
    reading = rows.open(sources, row, snapshot.sequence());
  }

  private void endReading(ReadCursor current) {
    reading = null;
    if (counts()) {
      rowsRead += current.rowsRead();
      tombstonesRead += current.tombstonesRead();
    }
    current.close();
    if (reads != NearestOutput.Reads.CHECK || !output.isPresent()) {
      return;
    }
    int candidate = at - 1;
    row.resetLike(request);
    reads = NearestOutput.Reads.PASS;
    openRow(
        found.keys(),
        found.keyOffset(candidate),
        found.keyLength(candidate),
        found.prefixLength(candidate));
  }

  /** Whether what the current read has read counts: not that of rows which are skipped. */
  private boolean counts() {
    return reads != NearestOutput.Reads.CHECK && output.isPresent();
  }

  @Override
  public void whenReady(Runnable next) {
    ReadCursor current = reading;
    if (current != null) {
      current.whenReady(next);
    } else if (searching) {
      continuation = next;
    } else {
      blocks.whenReady(next);
    }
  }

  @Override
  public int rowsRead() {
    ReadCursor current = reading;
    return rowsRead + (current == null || !counts() ? 0 : current.rowsRead());
  }

  @Override
  public int tombstonesRead() {
    ReadCursor current = reading;
    return tombstonesRead + (current == null || !counts() ? 0 : current.tombstonesRead());
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    continuation = null;
    ReadCursor current = reading;
    if (current != null) {
      current.close();
    }
    FoundKeys keys = filter;
    if (keys != null) {
      closeFilter(keys);
    }
    NearestSearch running = search;
    if (running != null) {
      running.cancel();
      index
          .onSearched()
          .accept(
              new VectorSearchCounts(
                  usesGraphs ? 1 : 0, usesGraphs ? 0 : 1, compared, clock.nanos() - start));
    }
    rows.snapshots().close(snapshot);
    blocks.close();
    releaseIfIdle();
  }

  private void blocksIdle() {
    blocksIdle = true;
    releaseIfIdle();
  }

  /** Releases what a search or a load still reads, once it has ended. */
  private void releaseIfIdle() {
    if (!open && !searching && blocksIdle && !released) {
      released = true;
      restriction.release();
      sources.release();
    }
  }
}
