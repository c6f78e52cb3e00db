package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.MergeHeap;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;

/**
 * Reads one partition:
 *
 * <ol>
 *   <li>the static row, if asked for, as a single row;
 *   <li>slice by slice, the last first when reversed. A slice of one row asks source after source,
 *       newest data first, until nothing older can change the answer; any other slice seeks all
 *       sources to its start, which tells the deletions in force there, and merges them to its end.
 * </ol>
 *
 * Each step can stop for a missing block and be taken again. Shard thread; reusable.
 */
final class PartitionRead {
  private static final byte QUEUED = 0;
  private static final byte TO_SEEK = 1;
  private static final byte TO_MOVE = 2;

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
  private final MergeHeap queue = new MergeHeap();
  private final RowAssembly assembly = new RowAssembly();
  private final BoundView bound = new BoundView();
  private final ByteWriter lower = new ByteWriter(256);
  private final ByteWriter upper = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private DroppedColumns dropped = DroppedColumns.NONE;
  private Phase phase = Phase.DONE;
  private SliceState sliceState = SliceState.NOT_BEGUN;
  private boolean reversed;
  private boolean partitionTold;
  private int slicesDone;
  private int prefixLength;

  // of a single row
  private int nextSource;
  private long rowHash;
  private long deletion;
  private long rangeDeletion;

  // of a merge
  private byte[] steps = new byte[8];
  private long[] openTimestamps = new long[8];
  private long inForce;
  private long partitionTimestamp;

  PartitionRead(ShardReadCursor owner, SourceSet set, ReadTally tally) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
  }

  void open(ReadRequest newRequest, DroppedColumns newDropped) {
    request = newRequest;
    dropped = newDropped;
    reversed = newRequest.isReversed();
    prefixLength = newRequest.lowerLength();
    partitionTold = false;
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
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return Outcome.DONE;
    }
    RowSink.Next next = tellPartition(sink);
    if (next == RowSink.Next.CONTINUE) {
      next = sink.staticRow(assembly.row().rewind());
    }
    return outcome(next);
  }

  private ByteWriter beginKey(ByteWriter key) {
    return key.clear().putBytes(request.segment(), 0, prefixLength);
  }

  private RowSink.Next tellPartition(RowSink sink) {
    if (partitionTold) {
      return RowSink.Next.CONTINUE;
    }
    partitionTold = true;
    return sink.partition(request.segment(), 0, prefixLength);
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
      countOpenRange();
      sliceState = SliceState.MERGING;
    }
    Outcome outcome = merge(sink);
    if (outcome == Outcome.DONE) {
      countOpenRange();
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
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return Outcome.DONE;
    }
    RowSink.Next next = tellPartition(sink);
    if (next == RowSink.Next.CONTINUE) {
      int clusteringAt = prefixLength + 1;
      next =
          sink.row(
              lower.segment(), clusteringAt, lower.size() - clusteringAt, assembly.row().rewind());
    }
    return outcome(next);
  }

  private void beginSingleRow() {
    assembly.clear();
    deletion = RowFormat.NO_TIMESTAMP;
    rangeDeletion = RowFormat.NO_TIMESTAMP;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    rowHash = 0;
  }

  /** Puts the row of key {@code lower} together; false when a block is missing. */
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
      partitionTimestamp = Math.max(partitionTimestamp, cursor.partitionTimestamp());
      rangeDeletion = Math.max(rangeDeletion, cursor.openTimestamp());
      deletion = Math.max(partitionTimestamp, rangeDeletion);
      if (step == EntryCursor.Step.READY) {
        assembly.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
      }
    }
    nextSource = 0;
    if (rangeDeletion > partitionTimestamp) {
      tally.bounds(2); // where it begins and ends, cut to this row
    }
    assembly.cover(deletion, dropped);
    return true;
  }

  /** Whether data up to a timestamp can no longer change what the reader sees of the row. */
  private boolean isDecided(long largestTimestamp) {
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
    int sources = set.count();
    if (steps.length < sources) {
      steps = new byte[sources];
      openTimestamps = new long[sources];
    }
    Arrays.fill(steps, 0, sources, TO_SEEK);
    Arrays.fill(openTimestamps, 0, sources, RowFormat.NO_TIMESTAMP);
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    inForce = RowFormat.NO_TIMESTAMP;
    queue.clear(reversed);
  }

  /** A deleted range that reaches over an end of the slice is cut there. */
  private void countOpenRange() {
    if (inForce > partitionTimestamp) {
      tally.bounds(1);
    }
  }

  private boolean seekAll() {
    boolean complete = true;
    for (int i = 0; i < set.count(); i++) {
      if (steps[i] != TO_SEEK) {
        continue;
      }
      EntryCursor cursor = set.cursor(i);
      EntryCursor.Step step =
          reversed
              ? cursor.seekBefore(upper.segment(), 0, upper.size(), prefixLength)
              : cursor.seek(lower.segment(), 0, lower.size(), prefixLength);
      if (step == EntryCursor.Step.WAITING) {
        complete = false;
        continue;
      }
      openTimestamps[i] = cursor.openTimestamp();
      partitionTimestamp = Math.max(partitionTimestamp, cursor.partitionTimestamp());
      inForce = Math.max(inForce, openTimestamps[i]);
      steps[i] = QUEUED;
      if (step == EntryCursor.Step.READY) {
        queue.push(cursor, i);
      }
    }
    return complete;
  }

  private Outcome merge(RowSink sink) {
    while (true) {
      if (!moveOn()) {
        return Outcome.WAITING;
      }
      if (!queue.popGroup()) {
        return Outcome.DONE;
      }
      EntryCursor first = queue.group(0);
      if (isBeyond(first)) {
        return Outcome.DONE;
      }
      for (int i = 0; i < queue.groupCount(); i++) {
        steps[queue.groupId(i)] = TO_MOVE;
      }
      if (first.kind() == Entry.ROW) {
        Outcome outcome = emitRow(first, sink);
        if (outcome != Outcome.DONE || phase == Phase.DONE) {
          return outcome;
        }
      } else {
        passBounds();
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  /** Moves the cursors of the last group on; false when a block is missing. */
  private boolean moveOn() {
    boolean complete = true;
    for (int i = 0; i < queue.groupCount(); i++) {
      int id = queue.groupId(i);
      if (steps[id] != TO_MOVE) {
        continue;
      }
      EntryCursor cursor = queue.group(i);
      EntryCursor.Step step = reversed ? cursor.previous() : cursor.next();
      if (step == EntryCursor.Step.WAITING) {
        complete = false;
      } else {
        steps[id] = QUEUED;
        if (step == EntryCursor.Step.READY) {
          queue.push(cursor, id);
        }
      }
    }
    return complete;
  }

  private boolean isBeyond(EntryCursor cursor) {
    ByteWriter end = reversed ? lower : upper;
    int order =
        Bytes.compare(
            cursor.keySegment(),
            cursor.keyOffset(),
            cursor.keyLength(),
            end.segment(),
            0,
            end.size());
    return reversed ? order < 0 : order >= 0;
  }

  private void passBounds() {
    long before = Math.max(inForce, partitionTimestamp);
    boolean counted = false;
    for (int i = 0; i < queue.groupCount(); i++) {
      EntryCursor cursor = queue.group(i);
      bound.wrap(cursor.valueSegment(), cursor.valueOffset());
      openTimestamps[queue.groupId(i)] =
          reversed ? bound.closedTimestamp() : bound.openedTimestamp();
      counted |= tally.isInGrace(Math.max(bound.closedSeconds(), bound.openedSeconds()));
    }
    inForce = RowFormat.NO_TIMESTAMP;
    for (int i = 0; i < set.count(); i++) {
      inForce = Math.max(inForce, openTimestamps[i]);
    }
    if (counted && before != Math.max(inForce, partitionTimestamp)) {
      tally.bounds(1);
    }
  }

  private Outcome emitRow(EntryCursor first, RowSink sink) {
    assembly.clear();
    for (int i = 0; i < queue.groupCount(); i++) {
      EntryCursor cursor = queue.group(i);
      assembly.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
    }
    assembly.cover(Math.max(partitionTimestamp, inForce), dropped);
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return Outcome.DONE;
    }
    RowSink.Next next = tellPartition(sink);
    if (next == RowSink.Next.CONTINUE) {
      int before = prefixLength + 1;
      next =
          sink.row(
              first.keySegment(),
              first.keyOffset() + before,
              first.keyLength() - before,
              assembly.row().rewind());
    }
    return outcome(next);
  }
}
