package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.MergeHeap;
import io.helenus.storage.merge.RowAssembly;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.util.Arrays;

/**
 * Reads all partitions of a range of key prefixes, ascending: one merge of all sources, in which
 * partition deletions and bounds come before the rows that they concern. A partition that the sink
 * does not want any more is passed entry by entry for a while, then skipped by a seek. Each step
 * can stop for a missing block and be taken again. Shard thread; reusable.
 */
final class RangeRead {
  private static final byte QUEUED = 0;
  private static final byte TO_SEEK = 1;
  private static final byte TO_MOVE = 2;
  private static final byte TO_SKIP = 3;
  private static final int PASSED_LIMIT = 32;

  private final ShardReadCursor owner;
  private final SourceSet set;
  private final ReadTally tally;
  private final MergeHeap queue = new MergeHeap();
  private final RowAssembly assembly = new RowAssembly();
  private final BoundView bound = new BoundView();
  private final ByteWriter partition = new ByteWriter(256);
  private final ByteWriter skipTo = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private DroppedColumns dropped = DroppedColumns.NONE;
  private boolean sought;
  private boolean stopped;
  private boolean partitionTold;
  private boolean skipping;
  private int passed;
  private byte[] steps = new byte[8];
  private long[] openTimestamps = new long[8];
  private long inForce;
  private long partitionTimestamp;

  RangeRead(ShardReadCursor owner, SourceSet set, ReadTally tally) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
  }

  void open(ReadRequest newRequest, DroppedColumns newDropped) {
    request = newRequest;
    dropped = newDropped;
    sought = false;
    stopped = false;
    skipping = false;
    partition.clear();
    queue.clear(false);
    int sources = set.count();
    if (steps.length < sources) {
      steps = new byte[sources];
      openTimestamps = new long[sources];
    }
    Arrays.fill(steps, 0, sources, TO_SEEK);
  }

  Outcome advance(RowSink sink) {
    if (!sought) {
      if (!seekAll()) {
        return Outcome.WAITING;
      }
      sought = true;
    }
    while (true) {
      if (!moveOn()) {
        return Outcome.WAITING;
      }
      if (!queue.popGroup() || isBeyond(queue.group(0))) {
        return Outcome.DONE;
      }
      EntryCursor first = queue.group(0);
      if (!isInPartition(first)) {
        beginPartition(first);
      }
      markGroup();
      if (!skipping) {
        take(first, sink);
        if (stopped) {
          return Outcome.STOPPED;
        }
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  private boolean seekAll() {
    boolean complete = true;
    for (int i = 0; i < set.count(); i++) {
      if (steps[i] == TO_SEEK) {
        EntryCursor cursor = set.cursor(i);
        EntryCursor.Step step = cursor.seek(request.segment(), 0, request.lowerLength(), 0);
        complete &= settle(cursor, i, step);
      }
    }
    return complete;
  }

  private boolean settle(EntryCursor cursor, int id, EntryCursor.Step step) {
    if (step == EntryCursor.Step.WAITING) {
      return false;
    }
    steps[id] = QUEUED;
    if (step == EntryCursor.Step.READY) {
      queue.push(cursor, id);
    }
    return true;
  }

  private boolean moveOn() {
    boolean complete = true;
    for (int i = 0; i < queue.groupCount(); i++) {
      int id = queue.groupId(i);
      EntryCursor cursor = queue.group(i);
      if (steps[id] == TO_MOVE) {
        complete &= settle(cursor, id, cursor.next());
      } else if (steps[id] == TO_SKIP) {
        complete &= settle(cursor, id, cursor.seek(skipTo.segment(), 0, skipTo.size(), 0));
      }
    }
    return complete;
  }

  private void markGroup() {
    byte step = TO_MOVE;
    if (skipping && ++passed > PASSED_LIMIT) {
      skipTo.clear().putBytes(partition.segment(), 0, partition.size());
      skipTo.putByte(KeyFormat.SECTION_ROWS + 1);
      step = TO_SKIP;
    }
    for (int i = 0; i < queue.groupCount(); i++) {
      steps[queue.groupId(i)] = step;
    }
  }

  private boolean isBeyond(EntryCursor cursor) {
    int upper = request.upperLength();
    return upper > 0
        && Bytes.compare(
                cursor.keySegment(),
                cursor.keyOffset(),
                cursor.keyLength(),
                request.segment(),
                request.lowerLength(),
                upper)
            >= 0;
  }

  private boolean isInPartition(EntryCursor cursor) {
    return partition.size() > 0
        && partition.size() == cursor.prefixLength()
        && Bytes.equal(
            partition.segment(),
            0,
            partition.size(),
            cursor.keySegment(),
            cursor.keyOffset(),
            partition.size());
  }

  private void beginPartition(EntryCursor cursor) {
    partition.clear().putBytes(cursor.keySegment(), cursor.keyOffset(), cursor.prefixLength());
    partitionTold = false;
    skipping = false;
    passed = 0;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    inForce = RowFormat.NO_TIMESTAMP;
    Arrays.fill(openTimestamps, RowFormat.NO_TIMESTAMP);
  }

  private void take(EntryCursor first, RowSink sink) {
    switch (first.kind()) {
      case Entry.PARTITION_DELETION -> {
        for (int i = 0; i < queue.groupCount(); i++) {
          EntryCursor cursor = queue.group(i);
          long timestamp = Bytes.getLong(cursor.valueSegment(), cursor.valueOffset());
          partitionTimestamp = Math.max(partitionTimestamp, timestamp);
        }
      }
      case Entry.STATIC_ROW -> {
        if (request.isStaticWanted()) {
          emit(first, true, sink);
        }
      }
      case Entry.ROW -> {
        if (request.areRowsWanted()) {
          emit(first, false, sink);
        } else {
          skipping = true;
        }
      }
      default -> passBounds();
    }
  }

  private void passBounds() {
    long before = Math.max(inForce, partitionTimestamp);
    boolean counted = false;
    for (int i = 0; i < queue.groupCount(); i++) {
      EntryCursor cursor = queue.group(i);
      bound.wrap(cursor.valueSegment(), cursor.valueOffset());
      openTimestamps[queue.groupId(i)] = bound.openedTimestamp();
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

  private void emit(EntryCursor first, boolean isStatic, RowSink sink) {
    assembly.clear();
    for (int i = 0; i < queue.groupCount(); i++) {
      EntryCursor cursor = queue.group(i);
      assembly.add(cursor.valueSegment(), cursor.valueOffset(), cursor.valueLength());
    }
    assembly.cover(Math.max(partitionTimestamp, inForce), dropped);
    if (assembly.isEmpty() || !tally.count(assembly.row())) {
      return;
    }
    RowSink.Next next = RowSink.Next.CONTINUE;
    if (!partitionTold) {
      partitionTold = true;
      next = sink.partition(partition.segment(), 0, partition.size());
    }
    if (next == RowSink.Next.CONTINUE) {
      int before = partition.size() + 1;
      next =
          isStatic
              ? sink.staticRow(assembly.row().rewind())
              : sink.row(
                  first.keySegment(),
                  first.keyOffset() + before,
                  first.keyLength() - before,
                  assembly.row().rewind());
    }
    skipping = next == RowSink.Next.SKIP_PARTITION;
    stopped = next == RowSink.Next.STOP;
  }
}
