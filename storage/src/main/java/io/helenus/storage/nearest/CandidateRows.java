package io.helenus.storage.nearest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.lookup.IndexRead;
import io.helenus.storage.nearest.NearestOutput.Reads;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.vector.NearestCandidates;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of candidates, one at a time, as of a snapshot: a row is checked and passed on in
 * one read, or in two if more than the row itself is passed on. Shard thread only.
 */
final class CandidateRows {
  private final ShardReads reads;
  private final TableSources sources;
  private final ReadRequest request;
  private final long sequence;
  private final NearestCandidates candidates;
  private final NearestOutput output;
  private final boolean hasVector;
  private final int[] vectorColumn;
  private final ReadRequest row = new ReadRequest();
  private @Nullable ReadCursor reading;

  /** The candidate whose row is being read, and what for. */
  private int candidate;

  private Reads purpose = Reads.CHECK;

  private int rowsRead;
  private int tombstonesRead;

  /**
   * Rows of a request.
   *
   * @param sequence that of the snapshot
   * @param candidates those of the present batch
   * @param output receives the rows
   */
  CandidateRows(
      ShardReads reads,
      TableSources sources,
      ReadRequest request,
      int vectorColumn,
      long sequence,
      NearestCandidates candidates,
      NearestOutput output) {
    this.reads = reads;
    this.sources = sources;
    this.request = request;
    this.sequence = sequence;
    this.candidates = candidates;
    this.output = output;
    this.vectorColumn = new int[] {vectorColumn};
    hasVector =
        !request.columns().areRestricted()
            || Arrays.binarySearch(request.columns().ids(), vectorColumn) >= 0;
  }

  /** Starts to read the row of a candidate, unless it is not wanted. */
  void open(int index) {
    ByteWriter keys = candidates.keys();
    int offset = candidates.keyOffset(index);
    int length = candidates.keyLength(index);
    int prefix = candidates.prefixLength(index);
    if (!IndexRead.isInSlices(request, keys.segment(), offset + prefix, length - prefix)
        || !output.begin(keys.segment(), offset, length, candidates.score(index))) {
      return;
    }
    candidate = index;
    row.resetLike(request);
    if (hasVector && !request.keys().isStaticWanted() && output.passesNoElements()) {
      purpose = Reads.CHECK_AND_PASS;
    } else {
      purpose = Reads.CHECK;
      row.wantsStatic(false).columns(vectorColumn);
    }
    openRow();
  }

  private void openRow() {
    ByteWriter keys = candidates.keys();
    int offset = candidates.keyOffset(candidate);
    int length = candidates.keyLength(candidate);
    int prefix = candidates.prefixLength(candidate);
    row.partition(keys.segment(), offset, prefix);
    if (purpose != Reads.CHECK) {
      row.addElementsOf(request);
    }
    row.addRow(keys.segment(), offset + prefix, length - prefix);
    row.tombstoneLimit(request.limits().tombstones() - tombstonesRead);
    reading = reads.open(sources, row, sequence);
  }

  boolean isReading() {
    return reading != null;
  }

  /** Goes on with a row that is being read; after DONE it may have to be read once more. */
  Status advance() {
    ReadCursor current = reading;
    if (current == null) {
      return Status.DONE;
    }
    Status status = current.advance(output.sinkOf(purpose));
    if (status == Status.DONE) {
      endReading(current);
    }
    return status;
  }

  private void endReading(ReadCursor current) {
    reading = null;
    if (counts()) {
      rowsRead += current.rowsRead();
      tombstonesRead += current.tombstonesRead();
    }
    current.close();
    if (purpose == Reads.CHECK && output.isPresent()) {
      row.resetLike(request);
      purpose = Reads.PASS;
      openRow();
    }
  }

  /** Whether what the current read has read counts: not that of rows which are skipped. */
  private boolean counts() {
    return purpose != Reads.CHECK && output.isPresent();
  }

  int rowsRead() {
    ReadCursor current = reading;
    return rowsRead + (current == null || !counts() ? 0 : current.rowsRead());
  }

  int tombstonesRead() {
    ReadCursor current = reading;
    return tombstonesRead + (current == null || !counts() ? 0 : current.tombstonesRead());
  }

  /** Calls back once the row that is being read can go on. */
  void whenReady(Runnable continuation) {
    ReadCursor current = reading;
    if (current != null) {
      current.whenReady(continuation);
    }
  }

  void close() {
    ReadCursor current = reading;
    if (current != null) {
      current.close();
    }
  }
}
