package io.helenus.storage.nearest;

import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.lookup.TermSources;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.read.TimeSlice;
import io.helenus.storage.vector.KeyListing;
import io.helenus.storage.vector.KeyRange;
import io.helenus.storage.vector.NearestSearch;
import io.helenus.storage.vector.VectorScore;
import io.helenus.storage.vector.VectorSource;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A read of the rows whose vectors are the nearest to one. If the request also has terms of another
 * index, it lists the keys that this finds, unless there are many ({@link KeyFilter}); then it
 * searches the vectors off the shard, batch by batch ({@link CandidateBatches}), and reads each row
 * that is found ({@link CandidateRows}). A row is passed on where its present vector belongs in the
 * order: found by an older vector, it is skipped, for the present one has an entry too. All of it
 * is as of one snapshot. Shard thread only.
 */
public final class NearestRead implements ReadCursor {
  private static final int CLOCK_EVERY = 16;

  private final ShardReads reads;
  private final TableSources sources;
  private final VectorSources index;
  private final ReadRequest request;
  private final Clock clock;
  private final long start;
  private final TimeSlice slice;
  private final Snapshots.Snapshot snapshot = new Snapshots.Snapshot();
  private final List<VectorSource> vectors;
  private final NearestOutput output;
  private final CandidateBatches batches;
  private final CandidateRows rows;
  private final @Nullable KeyFilter filter;
  private boolean announced;
  private boolean open = true;
  private boolean released;

  /** Opens it. The request must not change until it is closed. */
  public NearestRead(
      ShardReads reads,
      VectorReads searches,
      TableSources sources,
      VectorSources index,
      ReadRequest request) {
    this.reads = reads;
    this.sources = sources;
    this.index = index;
    this.request = request;
    clock = reads.clock();
    start = clock.nanos();
    slice = new TimeSlice(clock, CLOCK_EVERY);
    vectors = index.now();
    output = new NearestOutput(index.index(), request);
    batches = new CandidateBatches(searches, index, this::releaseIfIdle);
    sources.retain();
    reads.snapshots().open(snapshot);
    int column = index.index().columnId();
    rows =
        new CandidateRows(
            reads, sources, request, column, snapshot.sequence(), batches.found(), output);
    filter = filter(searches);
  }

  private @Nullable KeyFilter filter(VectorReads searches) {
    TermSources terms =
        request.lookup().indexId() == 0
            ? null
            : TermSources.of(sources, request.lookup().indexId());
    if (terms == null) {
      return null;
    }
    double all = vectors.stream().mapToLong(VectorSource::size).sum();
    return new KeyFilter(
        reads,
        searches.memory(),
        terms,
        request,
        index.rows(),
        all,
        slice::isUp,
        this::releaseIfIdle);
  }

  @Override
  public Status advance(RowSink sink) {
    if (!open) {
      throw new IllegalStateException("the cursor is closed");
    }
    if (filter != null) {
      filter.requireNoFailure();
    }
    batches.requireNoFailure();
    slice.begin();
    output.sink(sink);
    if (!announced) {
      announced = true;
      if (sink.indexFiles(index.files().size()) == RowSink.Next.STOP) {
        return Status.STOPPED;
      }
    }
    while (true) {
      Status status = step();
      if (status != null) {
        return status;
      }
      if (!rows.isReading() && slice.isUp()) {
        return Status.YIELD;
      }
    }
  }

  /** Does what comes next; null if there is more to do at once. */
  private @Nullable Status step() {
    if (batches.isSearching()) {
      return Status.WAITING;
    }
    if (rows.isReading()) {
      Status status = rows.advance();
      return status == Status.DONE ? null : status;
    }
    if (filter != null && filter.isListing()) {
      Status status = filter.advance();
      return status == Status.DONE ? null : status;
    }
    if (output.kept() >= request.lookup().nearestCount()) {
      return Status.DONE;
    }
    if (batches.hasNext()) {
      rows.open(batches.next());
      return null;
    }
    if (batches.isLast()) {
      return Status.DONE;
    }
    if (!batches.hasBegun()) {
      beginSearch();
    }
    batches.search(output.kept());
    return null;
  }

  private void beginSearch() {
    VectorScore score =
        new VectorScore(
            Objects.requireNonNull(index.index().vectors()),
            request.segment(),
            request.lookup().vectorOffset(),
            request.lookup().vectorLength());
    KeyListing listing = filter == null ? null : filter.listing();
    List<BitSet> inFiles = filter == null ? List.of() : filter.inFiles();
    double likelyShare = filter == null ? 1 : filter.likelyShare();
    batches.begin(
        new NearestSearch(score, range(), listing, index.parts(vectors, inFiles)),
        new BatchSizes(request.lookup().nearestCount(), likelyShare));
  }

  private KeyRange range() {
    return request.keys().isPartition()
        ? KeyRange.partition(request.segment(), 0, request.keys().lowerLength())
        : KeyRange.range(
            request.segment(), 0, request.keys().lowerLength(), request.keys().upperLength());
  }

  @Override
  public void whenReady(Runnable next) {
    if (rows.isReading()) {
      rows.whenReady(next);
    } else if (batches.isSearching()) {
      batches.whenReady(next);
    } else if (filter != null) {
      filter.whenReady(next);
    } else {
      reads.cache().shard().execute(next);
    }
  }

  @Override
  public int rowsRead() {
    return rows.rowsRead();
  }

  @Override
  public int tombstonesRead() {
    return rows.tombstonesRead();
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    rows.close();
    batches.close(clock.nanos() - start);
    reads.snapshots().close(snapshot);
    if (filter != null) {
      filter.close();
    }
    releaseIfIdle();
  }

  /** Releases what a search or a load still reads, once it has ended. */
  private void releaseIfIdle() {
    boolean isIdle = !batches.isSearching() && (filter == null || filter.isIdle());
    if (open || released || !isIdle) {
      return;
    }
    released = true;
    if (filter != null) {
      filter.release();
    }
    sources.release();
  }
}
