package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import org.jspecify.annotations.Nullable;

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
    MERGING,
    /** Seeking before a row that has been read, in a reversed slice. */
    CONTINUING
  }

  private final ShardReadCursor owner;
  private final SourceSet set;
  private final ReadTally tally;
  private final ReadMerge merge;
  private final PartitionOutput output;
  private final PartitionOutput outputBefore;
  private final SingleRowRead singleRow;
  private final JoinedRow joined;
  private final ByteWriter lower = new ByteWriter(256);
  private final ByteWriter upper = new ByteWriter(256);
  private final ByteWriter rowKey = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private DroppedColumns dropped = DroppedColumns.NONE;
  private boolean multiCell;
  private Phase phase = Phase.DONE;
  private SliceState sliceState = SliceState.NOT_BEGUN;
  private @Nullable RowSink before;
  private boolean reversed;
  private int slicesDone;
  private int prefixLength;

  PartitionRead(
      ShardReadCursor owner,
      SourceSet set,
      ReadTally tally,
      ReadMerge merge,
      RowAssembly assembly,
      JoinedRow joined) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
    this.merge = merge;
    this.joined = joined;
    singleRow = new SingleRowRead(owner, set, tally, merge, assembly, joined);
    outputBefore = new PartitionOutput(tally);
    output = new PartitionOutput(tally);
  }

  /**
   * Opens it.
   *
   * @param newBefore receives single rows as they are without the newest memtable; null if not
   *     wanted
   * @param older where to assemble these; null if not wanted
   * @param newest instead of the newest memtable a version of the only row, null if there is none
   */
  void open(
      ReadRequest newRequest,
      TableSources sources,
      @Nullable RowSink newBefore,
      @Nullable RowAssembly older,
      @Nullable RowView newest) {
    before = newBefore;
    request = newRequest;
    dropped = sources.dropped();
    multiCell = sources.multiCellColumns().length > 0;
    if (multiCell) {
      joined.open(newRequest, sources);
    }
    singleRow.open(newRequest, sources, older, newest);
    reversed = newRequest.keys().isReversed();
    prefixLength = newRequest.keys().lowerLength();
    output.open(newRequest.limits());
    output.begin(newRequest.segment(), prefixLength);
    outputBefore.begin(newRequest.segment(), prefixLength);
    slicesDone = 0;
    sliceState = SliceState.NOT_BEGUN;
    phase = newRequest.keys().isStaticWanted() ? Phase.STATIC_ROW : Phase.SLICES;
  }

  /** Goes on with a read of the partition, of which this is the rest. */
  void goOn(PartitionOutput from) {
    output.goOn(from);
  }

  Outcome advance(RowSink sink) {
    if (phase == Phase.STATIC_ROW) {
      Outcome outcome = readStaticRow(sink);
      if (outcome != Outcome.DONE) {
        return outcome;
      }
    }
    while (phase == Phase.SLICES) {
      if (!request.keys().areRowsWanted()
          || slicesDone == Math.max(1, request.keys().sliceCount())) {
        phase = Phase.DONE;
        break;
      }
      Outcome outcome = readSlice(sink);
      if (outcome != Outcome.DONE) {
        return outcome;
      }
      slicesDone++;
      if (phase == Phase.SLICES && slicesDone < request.keys().sliceCount() && owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
    return Outcome.DONE;
  }

  private Outcome readStaticRow(RowSink sink) {
    if (!singleRow.isBegun()) {
      beginKey(lower).putByte(KeyFormat.SECTION_STATIC);
      singleRow.begin(lower, true);
    }
    Outcome outcome = readWholeRow();
    if (outcome != Outcome.DONE) {
      return outcome;
    }
    phase = Phase.SLICES;
    return outcome(output.staticRow(sink, singleRow.end()));
  }

  private ByteWriter beginKey(ByteWriter key) {
    return key.clear().putBytes(request.segment(), 0, prefixLength);
  }

  private Outcome outcome(RowSink.Next next) {
    return switch (next) {
      case CONTINUE, KEPT -> Outcome.DONE;
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
    int count = request.keys().sliceCount();
    int slice = reversed ? count - 1 - slicesDone : slicesDone;
    if (count > 0 && request.keys().sliceUpperLength(slice) == 0) {
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
    Outcome outcome = mergeSlice(sink);
    if (outcome == Outcome.DONE) {
      countCutRange();
      sliceState = SliceState.NOT_BEGUN;
    }
    return outcome;
  }

  // ---- single rows

  private Outcome readSingleRow(int slice, RowSink sink) {
    if (!singleRow.isBegun()) {
      beginKey(lower)
          .putBytes(
              request.segment(),
              request.keys().sliceOffset(slice),
              request.keys().sliceLowerLength(slice));
      singleRow.begin(lower, true);
    }
    return passSingleRow(lower, sink);
  }

  /** Reads the row that has been begun, with this key, and passes it to the sink. */
  private Outcome passSingleRow(ByteWriter key, RowSink sink) {
    Outcome outcome = readWholeRow();
    if (outcome != Outcome.DONE) {
      return outcome;
    }
    int clusteringAt = prefixLength + 1;
    int length = key.size() - clusteringAt;
    RowSink.Next older = RowSink.Next.CONTINUE;
    RowSink sinkBefore = before;
    if (sinkBefore != null) {
      older = outputBefore.row(sinkBefore, singleRow.older(), key.segment(), clusteringAt, length);
    }
    RowSink.Next next = output.row(sink, singleRow.end(), key.segment(), clusteringAt, length);
    return outcome(older == RowSink.Next.STOP ? older : next);
  }

  private Outcome readWholeRow() {
    Outcome outcome = singleRow.advance();
    boolean passes = outcome != Outcome.DONE || owner.mayPass(singleRow.bytes());
    return passes ? outcome : Outcome.YIELD;
  }

  // ---- slices

  private void beginSlice(int slice) {
    beginKey(lower);
    beginKey(upper);
    if (slice < 0) {
      lower.putByte(KeyFormat.SECTION_ROWS);
      upper.putByte(KeyFormat.SECTION_ROWS + 1);
    } else {
      int offset = request.keys().sliceOffset(slice);
      int lowerLength = request.keys().sliceLowerLength(slice);
      lower.putBytes(request.segment(), offset, lowerLength);
      upper.putBytes(
          request.segment(), (long) offset + lowerLength, request.keys().sliceUpperLength(slice));
    }
    merge.begin(set.count(), reversed, lower, prefixLength);
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
        complete &= merge.sought(cursor, i, step, set.largestTimestamp(i));
      }
    }
    return complete;
  }

  private Outcome mergeSlice(RowSink sink) {
    if (!multiCell) {
      return merge(sink);
    }
    return reversed ? mergeReversedRows(sink) : mergeJoinedRows(sink);
  }

  private Outcome merge(RowSink sink) {
    while (true) {
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      if (!owner.mayPass(merge.nextBytes())) {
        return Outcome.YIELD;
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

  /** Merges rows and their elements, which follow them. */
  private Outcome mergeJoinedRows(RowSink sink) {
    while (true) {
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      if (joined.isLargeAndEnds(merge) && !owner.mayPass(joined.bytes())) {
        return Outcome.YIELD;
      }
      boolean more = merge.nextGroup();
      if (joined.isBegun()) {
        if (more && joined.continuesWith(merge.first())) {
          if (owner.isTimeUp(joined.takeElement(merge))) {
            return Outcome.YIELD;
          }
          continue;
        }
        Outcome outcome = passJoinedRow(sink);
        if (outcome != Outcome.DONE || phase == Phase.DONE) {
          return outcome;
        }
      }
      if (!more || isBeyond(merge.first())) {
        return Outcome.DONE;
      }
      if (merge.first().kind() == Entry.BOUND) {
        consumeBounds();
      } else {
        joined.take(merge);
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  private void consumeBounds() {
    if (merge.applyBounds(tally.graceSince())) {
      tally.countBounds(1);
    }
    merge.consume();
  }

  private Outcome passJoinedRow(RowSink sink) {
    ByteWriter key = joined.key();
    int clusteringAt = prefixLength + 1;
    return outcome(
        output.row(sink, joined.end(), key.segment(), clusteringAt, key.size() - clusteringAt));
  }

  /**
   * Merges rows backwards. Their elements precede them in this direction, so each row is read by
   * its key, and the merge continues before it.
   */
  private Outcome mergeReversedRows(RowSink sink) {
    while (true) {
      if (singleRow.isBegun()) {
        Outcome outcome = passSingleRow(rowKey, sink);
        if (outcome != Outcome.DONE || phase == Phase.DONE) {
          return outcome;
        }
        upper.clear().putBytes(rowKey.segment(), 0, rowKey.size());
        merge.begin(set.count(), true, lower, prefixLength);
        sliceState = SliceState.CONTINUING;
      }
      if (sliceState == SliceState.CONTINUING) {
        if (!seekAll()) {
          return Outcome.WAITING;
        }
        sliceState = SliceState.MERGING;
      }
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      if (!merge.nextGroup() || isBeyond(merge.first())) {
        return Outcome.DONE;
      }
      if (merge.first().kind() == Entry.BOUND) {
        consumeBounds();
      } else {
        joined.putRowKey(merge.first(), rowKey);
        singleRow.begin(rowKey, false);
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  private boolean isBeyond(EntryCursor cursor) {
    ByteWriter end = reversed ? lower : upper;
    int order = cursor.compareKey(prefixLength, end.segment(), 0, end.size());
    return reversed ? order < 0 : order >= 0;
  }

  private Outcome emitRow(EntryCursor first, RowSink sink) {
    merge.assembleRow(dropped);
    int clusteringAt = prefixLength + 1;
    return outcome(
        output.row(
            sink,
            merge.row(),
            first.keySegment(),
            first.keyOffset() + clusteringAt,
            first.keyLength() - clusteringAt));
  }
}
