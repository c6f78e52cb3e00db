package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;

/**
 * Reads one partition:
 *
 * <ol>
 *   <li>the static row, if requested, as a single row;
 *   <li>slice by slice, in descending order when reversed. For a slice of one row, sources are read
 *       one by one, newest data first, until older data cannot change the result. For any other
 *       slice, all sources seek to its start, which yields the deletions in force there, and are
 *       merged up to its end.
 * </ol>
 *
 * Every step can pause at a missing block and be repeated. Shard thread only; reusable.
 */
final class PartitionRead {
  private enum Phase {
    STATIC_ROW,
    SLICES,
    DONE
  }

  private enum SliceState {
    NOT_BEGUN,
    SEEKING,
    MERGING
  }

  private final ShardReadCursor owner;
  private final SourceSet set;
  private final ReadTally tally;
  private final ReadMerge merge;
  private final RowAssembly assembly;
  private final PartitionOutput output;
  private final ByteWriter lower = new ByteWriter(256);
  private final ByteWriter upper = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private DroppedColumns dropped = DroppedColumns.NONE;
  private Phase phase = Phase.DONE;
  private SliceState sliceState = SliceState.NOT_BEGUN;
  private boolean reversed;
  private int slicesDone;
  private int prefixLength;

  // while gathering a single row
  private int nextSource;
  private long rowHash;
  private long partitionDeletion;
  private long rangeDeletion;

  PartitionRead(
      ShardReadCursor owner,
      SourceSet set,
      ReadTally tally,
      ReadMerge merge,
      RowAssembly assembly) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
    this.merge = merge;
    this.assembly = assembly;
    output = new PartitionOutput(tally, assembly);
  }

  void open(ReadRequest newRequest, DroppedColumns newDropped) {
    request = newRequest;
    dropped = newDropped;
    reversed = newRequest.isReversed();
    prefixLength = newRequest.lowerLength();
    output.begin(newRequest.segment(), prefixLength);
    slicesDone = 0;
    nextSource = 0;
    sliceState = SliceState.NOT_BEGUN;
    phase = newRequest.isStaticWanted() ? Phase.STATIC_ROW : Phase.SLICES;
  }

  Outcome advance(RowSink sink) {
    if (phase == Phase.STATIC_ROW) {
      Outcome outcome = readStaticRow(sink);
      if (outcome != Outcome.DONE) {
        return outcome;
      }
    }
    while (phase == Phase.SLICES) {
      if (!request.areRowsWanted() || slicesDone == Math.max(1, request.sliceCount())) {
        phase = Phase.DONE;
        break;
      }
      Outcome outcome = readSlice(sink);
      if (outcome != Outcome.DONE) {
        return outcome;
      }
      slicesDone++;
      if (phase == Phase.SLICES && slicesDone < request.sliceCount() && owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
    return Outcome.DONE;
  }

  private Outcome readStaticRow(RowSink sink) {
    if (nextSource == 0) {
      beginKey(lower).putByte(KeyFormat.SECTION_STATIC);
      beginSingleRow();
    }
    if (!gatherSingleRow()) {
      return Outcome.WAITING;
    }
    phase = Phase.SLICES;
    return outcome(output.staticRow(sink));
  }

  private ByteWriter beginKey(ByteWriter key) {
    return key.clear().putBytes(request.segment(), 0, prefixLength);
  }

  private Outcome outcome(RowSink.Next next) {
    return switch (next) {
      case CONTINUE -> Outcome.DONE;
      case SKIP_PARTITION -> {
        phase = Phase.DONE;
        yield Outcome.DONE;
      }
      case STOP -> {
        phase = Phase.DONE;
        yield Outcome.STOPPED;
      }
    };
  }

  private Outcome readSlice(RowSink sink) {
    int count = request.sliceCount();
    int slice = reversed ? count - 1 - slicesDone : slicesDone;
    if (count > 0 && request.sliceUpperLength(slice) == 0) {
      return readSingleRow(slice, sink);
    }
    if (sliceState == SliceState.NOT_BEGUN) {
      beginSlice(count == 0 ? -1 : slice);
      sliceState = SliceState.SEEKING;
    }
    if (sliceState == SliceState.SEEKING) {
      if (!seekAll()) {
        return Outcome.WAITING;
      }
      countCutRange();
      sliceState = SliceState.MERGING;
    }
    Outcome outcome = merge(sink);
    if (outcome == Outcome.DONE) {
      countCutRange();
      sliceState = SliceState.NOT_BEGUN;
    }
    return outcome;
  }

  // ---- single rows

  private Outcome readSingleRow(int slice, RowSink sink) {
    if (nextSource == 0) {
      beginKey(lower)
          .putBytes(request.segment(), request.sliceOffset(slice), request.sliceLowerLength(slice));
      beginSingleRow();
    }
    if (!gatherSingleRow()) {
      return Outcome.WAITING;
    }
    int clusteringAt = prefixLength + 1;
    return outcome(output.row(sink, lower.segment(), clusteringAt, lower.size() - clusteringAt));
  }

  private void beginSingleRow() {
    assembly.clear();
    partitionDeletion = RowFormat.NO_TIMESTAMP;
    rangeDeletion = RowFormat.NO_TIMESTAMP;
    rowHash = 0;
  }

  /** Assembles the row whose key is {@code lower}; false if a block is missing. */
  private boolean gatherSingleRow() {
    for (; nextSource < set.count(); nextSource++) {
      if (set.isFile(nextSource)) {
        if (isDecided(set.largestTimestamp(nextSource))) {
          break;
        }
        if (rowHash == 0) {
          rowHash = Hashing.xxh3(lower.segment(), 0, lower.size());
        }
        if (!set.mayConcernRow(nextSource, lower.segment(), prefixLength, rowHash)) {
          continue;
        }
      }
      EntryCursor cursor = set.cursor(nextSource);
      EntryCursor.Step step = cursor.find(lower.segment(), 0, lower.size(), prefixLength);
      if (step == EntryCursor.Step.WAITING) {
        return false;
      }
      partitionDeletion = Math.max(partitionDeletion, cursor.partitionTimestamp());
      rangeDeletion = Math.max(rangeDeletion, cursor.openTimestamp());
      if (step == EntryCursor.Step.READY) {
        assembly.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
      }
    }
    nextSource = 0;
    if (rangeDeletion > partitionDeletion) {
      tally.countBounds(2); // the range deletion, clipped to this row, has two bounds
    }
    assembly.cover(Math.max(partitionDeletion, rangeDeletion), dropped);
    return true;
  }

  /** Whether data up to a timestamp can no longer change the result for the row. */
  private boolean isDecided(long largestTimestamp) {
    long deletion = Math.max(partitionDeletion, rangeDeletion);
    if (deletion >= largestTimestamp) {
      return true;
    }
    if (assembly.isEmpty() || !request.hasColumns() || !dropped.isEmpty()) {
      return false;
    }
    RowView row = assembly.row();
    if (row.deletionTimestamp() >= largestTimestamp) {
      return true;
    }
    long threshold = Math.max(largestTimestamp, deletion);
    boolean exists = row.isLive(request.nowSeconds()) && row.timestamp() > threshold;
    int[] columns = request.columns();
    int at = 0;
    row.rewind();
    while (row.nextCell()) {
      if (row.cellTimestamp() <= threshold) {
        continue;
      }
      exists |= row.cellMakesRowLive(request.nowSeconds());
      while (at < columns.length && columns[at] < row.column()) {
        return false;
      }
      boolean whole =
          row.pathLength() < 0
              && (row.cellFlags() & (RowFormat.CELL_COUNTER | RowFormat.CELL_COLUMN_DELETION)) == 0;
      if (whole && at < columns.length && columns[at] == row.column()) {
        at++;
      }
    }
    return exists && at == columns.length;
  }

  // ---- slices

  private void beginSlice(int slice) {
    beginKey(lower);
    beginKey(upper);
    if (slice < 0) {
      lower.putByte(KeyFormat.SECTION_ROWS);
      upper.putByte(KeyFormat.SECTION_ROWS + 1);
    } else {
      int offset = request.sliceOffset(slice);
      int lowerLength = request.sliceLowerLength(slice);
      lower.putBytes(request.segment(), offset, lowerLength);
      upper.putBytes(
          request.segment(), (long) offset + lowerLength, request.sliceUpperLength(slice));
    }
    merge.begin(set.count(), reversed);
  }

  /**
   * A range deletion that extends beyond an end of the slice is clipped there, which counts as a
   * bound.
   */
  private void countCutRange() {
    if (merge.isRangeDeleted()) {
      tally.countBounds(1);
    }
  }

  private boolean seekAll() {
    boolean complete = true;
    for (int i = 0; i < set.count(); i++) {
      if (merge.needsSeek(i)) {
        EntryCursor cursor = set.cursor(i);
        EntryCursor.Step step =
            reversed
                ? cursor.seekBefore(upper.segment(), 0, upper.size(), prefixLength)
                : cursor.seek(lower.segment(), 0, lower.size(), prefixLength);
        complete &= merge.sought(cursor, i, step);
      }
    }
    return complete;
  }

  private Outcome merge(RowSink sink) {
    while (true) {
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      if (!merge.nextGroup() || isBeyond(merge.first())) {
        return Outcome.DONE;
      }
      EntryCursor first = merge.first();
      merge.consume();
      if (first.kind() == Entry.ROW) {
        Outcome outcome = emitRow(first, sink);
        if (outcome != Outcome.DONE || phase == Phase.DONE) {
          return outcome;
        }
      } else if (merge.applyBounds(tally.graceSince())) {
        tally.countBounds(1);
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  private boolean isBeyond(EntryCursor cursor) {
    ByteWriter end = reversed ? lower : upper;
    int order = cursor.compareKey(end.segment(), 0, end.size());
    return reversed ? order < 0 : order >= 0;
  }

  private Outcome emitRow(EntryCursor first, RowSink sink) {
    merge.assembleRow(dropped);
    int clusteringAt = prefixLength + 1;
    return outcome(
        output.row(
            sink,
            first.keySegment(),
            first.keyOffset() + clusteringAt,
            first.keyLength() - clusteringAt));
  }
}
