package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.read.TimeSlice;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.Sstable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read of the rows that an index finds: it collects the keys of a partition's rows from the index
 * and reads these rows from the table, one partition after the other. Every partition, or part of
 * one with very many rows, is read as it is at that moment. Shard thread only.
 */
public final class IndexRead implements ReadCursor {
  private static final int CLOCK_EVERY = 64;

  /** How many rows of a partition are read at once, and how long their keys may be together. */
  private static final int ROWS_LIMIT = 1000;

  private static final int ROWS_LIMIT_BYTES = 1 << 20;

  private static final int KEPT_KEYS = 2048;
  private static final int WALKED_LIMIT = 250_000;

  private final ShardReads reads;
  private final TableSources sources;
  private final ReadRequest request;
  private final IndexBlocks blocks;
  private final Candidates candidates;
  private final int files;
  private final TimeSlice slice;
  private final PartsOutput output = new PartsOutput();
  private final ReadRequest rows = new ReadRequest();
  private final ByteWriter partition = new ByteWriter(64);

  /** Whether {@code candidates} is at a key that has not been used. */
  private boolean pending;

  private boolean announced;
  private boolean ended;
  private boolean whole;
  private int rowsBytes;
  private boolean open = true;
  private @Nullable ReadCursor reading;
  private boolean readingAll;
  private int rowsRead;
  private int tombstonesRead;

  /**
   * Opens it.
   *
   * @param slabs memory for the keys that it collects
   */
  public IndexRead(
      ShardReads reads,
      SlabPool slabs,
      TableSources sources,
      TermSources index,
      ReadRequest request) {
    this.reads = reads;
    this.sources = sources;
    this.request = request;
    slice = new TimeSlice(reads.clock(), CLOCK_EVERY);
    sources.retain();
    blocks = new IndexBlocks(reads.cache(), sources::release, index.onDamage());
    files = countFiles(index, request);
    candidates = candidates(index, request, blocks, slabs, slice);
  }

  /** The keys that the index finds for a request. */
  static Candidates candidates(
      TermSources index, ReadRequest request, IndexBlocks blocks, SlabPool slabs, TimeSlice slice) {
    IndexRange range = new IndexRange(request);
    List<EntryCursor> cursors = cursors(index, request, blocks);
    return range.isOneTerm()
        ? new TermCandidates(cursors, range)
        : new CollectedCandidates(cursors, range, slabs, slice::isUp, KEPT_KEYS, WALKED_LIMIT);
  }

  /** Cursors over the runs that may have the terms of a request. */
  static List<EntryCursor> cursors(TermSources index, ReadRequest request, IndexBlocks blocks) {
    List<EntryCursor> cursors = new ArrayList<>();
    for (TermTree tree : index.trees()) {
      if (tree.size() > 0) {
        cursors.add(tree.cursor());
      }
    }
    for (Sstable file : index.files()) {
      if (mayHaveTerms(file, request)) {
        cursors.add(file.cursor(blocks));
      }
    }
    return cursors;
  }

  private static int countFiles(TermSources index, ReadRequest request) {
    int count = 0;
    for (Sstable file : index.files()) {
      if (mayHaveTerms(file, request)) {
        count++;
      }
    }
    return count;
  }

  /** Whether the terms of a request are between the smallest and the largest of a file. */
  private static boolean mayHaveTerms(Sstable file, ReadRequest request) {
    boolean after =
        request.lookup().termsUpperLength() > 0
            && file.startsAtOrAfter(
                request.segment(),
                request.lookup().termsOffset() + request.lookup().termsLowerLength(),
                request.lookup().termsUpperLength());
    boolean before =
        request.lookup().termsLowerLength() > 0
            && file.endsBefore(
                request.segment(),
                request.lookup().termsOffset(),
                request.lookup().termsLowerLength());
    return !after && !before;
  }

  @Override
  public Status advance(RowSink sink) {
    if (!open) {
      throw new IllegalStateException("the cursor is closed");
    }
    blocks.requireNoFailure();
    slice.begin();
    output.to(sink);
    if (!announced) {
      announced = true;
      if (sink.indexFiles(files) == RowSink.Next.STOP) {
        return Status.STOPPED;
      }
    }
    while (true) {
      ReadCursor current = reading;
      if (current != null) {
        Status status = current.advance(readingAll ? sink : output);
        if (status != Status.DONE || readingAll) {
          return status;
        }
        endReading();
        if (slice.isUp()) {
          return Status.YIELD;
        }
        continue;
      }
      if (ended) {
        return Status.DONE;
      }
      switch (gather()) {
        case READY -> read();
        case WAITING -> {
          return Status.WAITING;
        }
        case YIELD -> {
          return Status.YIELD;
        }
        case TOO_MANY -> {
          readingAll = true;
          reading = reads.open(sources, request);
        }
        case END -> ended = true;
      }
    }
  }

  /** Collects the keys of rows of the next partition into the request. */
  private Candidates.Step gather() {
    while (true) {
      if (!pending) {
        Candidates.Step step = candidates.next();
        if (step == Candidates.Step.END) {
          if (partition.size() > 0 && hasRows()) {
            ended = true;
            return Candidates.Step.READY;
          }
          return step;
        }
        if (step != Candidates.Step.READY) {
          return step;
        }
        pending = true;
      }
      ByteWriter key = candidates.key();
      int prefix = candidates.prefixLength();
      if (!isInPartition(key, prefix)) {
        if (partition.size() > 0 && hasRows()) {
          return Candidates.Step.READY;
        }
        beginPartition(key, prefix);
      }
      if (rows.keys().sliceCount() == ROWS_LIMIT || rowsBytes > ROWS_LIMIT_BYTES) {
        return Candidates.Step.READY;
      }
      pending = false;
      take(key, prefix);
    }
  }

  private boolean hasRows() {
    return whole || rows.keys().sliceCount() > 0;
  }

  private boolean isInPartition(ByteWriter key, int prefix) {
    return prefix == partition.size()
        && Bytes.equal(key.segment(), 0, prefix, partition.segment(), 0, prefix);
  }

  private void beginPartition(ByteWriter key, int prefix) {
    partition.clear().putBytes(key.segment(), 0, prefix);
    output.beginPartition();
    whole = false;
    beginRows();
  }

  private void beginRows() {
    rowsBytes = 0;
    rows.resetLike(request).partition(partition.segment(), 0, partition.size());
    rows.addElementsOf(request);
    rows.tombstoneLimit(request.limits().tombstones() - tombstonesRead);
  }

  /** Adds a row, or the whole partition, to the request. */
  private void take(ByteWriter key, int prefix) {
    if (whole || output.isSkipping()) {
      return;
    }
    if (Bytes.getByte(key.segment(), prefix) == KeyFormat.SECTION_STATIC) {
      whole = true;
      return;
    }
    if (isInSlices(request, key.segment(), prefix, key.size() - prefix)) {
      rows.addRow(key.segment(), prefix, key.size() - prefix);
      rowsBytes += key.size() - prefix;
    }
  }

  /** Whether a request wants a row with a suffix. */
  public static boolean isInSlices(
      ReadRequest request, MemorySegment key, long offset, int length) {
    int count = request.keys().sliceCount();
    if (count == 0) {
      return true;
    }
    MemorySegment segment = request.segment();
    for (int i = 0; i < count; i++) {
      int lower = request.keys().sliceOffset(i);
      int lowerLength = request.keys().sliceLowerLength(i);
      int upperLength = request.keys().sliceUpperLength(i);
      int order = Bytes.compare(key, offset, length, segment, lower, lowerLength);
      if (upperLength == 0
          ? order == 0
          : order >= 0
              && Bytes.compare(key, offset, length, segment, lower + lowerLength, upperLength)
                  < 0) {
        return true;
      }
    }
    return false;
  }

  private void read() {
    if (whole) {
      rows.resetLike(request).partition(partition.segment(), 0, partition.size());
      rows.addElementsOf(request);
      rows.tombstoneLimit(request.limits().tombstones() - tombstonesRead);
      rows.addSlicesOf(request);
    }
    reading = reads.open(sources, rows);
  }

  private void endReading() {
    ReadCursor current = reading;
    reading = null;
    if (current != null) {
      rowsRead += current.rowsRead();
      tombstonesRead += current.tombstonesRead();
      current.close();
    }
    if (whole) {
      output.skip();
    }
    whole = false;
    beginRows();
  }

  @Override
  public void whenReady(Runnable continuation) {
    ReadCursor current = reading;
    if (current != null) {
      current.whenReady(continuation);
    } else {
      blocks.whenReady(continuation);
    }
  }

  @Override
  public int rowsRead() {
    ReadCursor current = reading;
    return rowsRead + (current == null ? 0 : current.rowsRead());
  }

  @Override
  public int tombstonesRead() {
    ReadCursor current = reading;
    return tombstonesRead + (current == null ? 0 : current.tombstonesRead());
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    ReadCursor current = reading;
    if (current != null) {
      current.close();
    }
    candidates.close();
    blocks.close();
  }
}
