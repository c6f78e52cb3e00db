package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.merge.ReadMerge;
import io.helenus.storage.read.ShardReadCursor.Outcome;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;

/**
 * Reads the partitions of a range of key prefixes in ascending order: one merge of all sources, in
 * which partition deletions and range tombstone bounds precede the rows that they may delete. If
 * the sink skips the rest of a partition, the merge first passes over some entries and then seeks
 * to the next partition. Every step can pause at a missing block and be repeated. Shard thread
 * only; reusable.
 */
final class RangeRead {
  private static final int PASSED_LIMIT = 32;

  private final ShardReadCursor owner;
  private final SourceSet set;
  private final ReadTally tally;
  private final ReadMerge merge;
  private final PartitionOutput output;
  private final JoinedRow joined;
  private final ByteWriter partition = new ByteWriter(256);
  private final ByteWriter skipTo = new ByteWriter(256);

  private ReadRequest request = new ReadRequest();
  private DroppedColumns dropped = DroppedColumns.NONE;
  private boolean multiCell;
  private boolean sought;
  private boolean stopped;
  private boolean skipping;
  private int passed;
  private int passedLimit;

  RangeRead(
      ShardReadCursor owner, SourceSet set, ReadTally tally, ReadMerge merge, JoinedRow joined) {
    this.owner = owner;
    this.set = set;
    this.tally = tally;
    this.merge = merge;
    this.joined = joined;
    output = new PartitionOutput(tally);
  }

  void open(ReadRequest newRequest, TableSources sources) {
    request = newRequest;
    dropped = sources.dropped();
    multiCell = sources.multiCellColumns().length > 0;
    if (multiCell) {
      joined.open(newRequest, sources);
    }
    sought = false;
    stopped = false;
    skipping = false;
    passedLimit = PASSED_LIMIT;
    partition.clear();
    output.open(newRequest.limits());
    merge.begin(set.count(), false, partition, 0);
  }

  /**
   * Seeks at once beyond what the sink skips, so that the read does not wait for more of it. After
   * {@link #open}.
   */
  void seekOverSkipped() {
    passedLimit = 0;
  }

  Outcome advance(RowSink sink) {
    if (!sought) {
      if (!seekAll()) {
        return Outcome.WAITING;
      }
      sought = true;
    }
    while (true) {
      if (!merge.advanceConsumed()) {
        return Outcome.WAITING;
      }
      if (multiCell
          ? joined.isLargeAndEnds(merge) && !owner.mayPass(joined.bytes())
          : !owner.mayPass(merge.nextBytes())) {
        return Outcome.YIELD;
      }
      boolean more = merge.nextGroup();
      if (multiCell && joined.isBegun()) {
        if (more && joined.continuesWith(merge.first())) {
          if (owner.isTimeUp(joined.takeElement(merge))) {
            return Outcome.YIELD;
          }
          continue;
        }
        passJoinedRow(sink);
        if (stopped) {
          return Outcome.STOPPED;
        }
      }
      if (!more || isBeyond(merge.first())) {
        return Outcome.DONE;
      }
      EntryCursor first = merge.first();
      if (!first.isInPartition(partition)) {
        beginPartition(first);
      }
      if (skipping || !multiCell || !isOfRow(first)) {
        consume();
        if (!skipping) {
          take(first, sink);
          if (stopped) {
            return Outcome.STOPPED;
          }
        }
      } else {
        takeJoined(first);
      }
      if (owner.isTimeUp()) {
        return Outcome.YIELD;
      }
    }
  }

  private void passJoinedRow(RowSink sink) {
    ByteWriter key = joined.key();
    int clusteringAt = partition.size() + 1;
    if (key.size() == clusteringAt) {
      handle(output.staticRow(sink, joined.end()));
    } else {
      handle(
          output.row(sink, joined.end(), key.segment(), clusteringAt, key.size() - clusteringAt));
    }
  }

  private static boolean isOfRow(EntryCursor entry) {
    int kind = entry.kind();
    return kind != Entry.BOUND && kind != Entry.PARTITION_DELETION;
  }

  /** Takes a row or an element of a table with multi-cell columns. */
  private void takeJoined(EntryCursor first) {
    int section = Bytes.getByte(first.keySegment(), first.keyOffset() + first.prefixLength());
    if (section == KeyFormat.SECTION_STATIC
        ? request.keys().isStaticWanted()
        : request.keys().areRowsWanted()) {
      joined.take(merge);
    } else if (section == KeyFormat.SECTION_STATIC) {
      joined.skip(merge);
    } else {
      skipping = true;
      consume();
    }
  }

  private boolean seekAll() {
    boolean complete = true;
    for (int i = 0; i < set.count(); i++) {
      if (merge.needsSeek(i)) {
        EntryCursor cursor = set.cursor(i);
        complete &=
            merge.sought(
                cursor,
                i,
                cursor.seek(request.segment(), 0, request.keys().lowerLength(), 0),
                set.largestTimestamp(i));
      }
    }
    return complete;
  }

  private void consume() {
    if (skipping && ++passed > passedLimit) {
      skipTo.clear().putBytes(partition.segment(), 0, partition.size());
      skipTo.putByte(KeyFormat.SECTION_ROWS + 1);
      merge.consumeTo(skipTo);
    } else {
      merge.consume();
    }
  }

  private boolean isBeyond(EntryCursor cursor) {
    int upper = request.keys().upperLength();
    return upper > 0
        && cursor.compareKey(request.segment(), request.keys().lowerLength(), upper) >= 0;
  }

  private void beginPartition(EntryCursor cursor) {
    partition.clear().putBytes(cursor.keySegment(), cursor.keyOffset(), cursor.prefixLength());
    output.begin(partition.segment(), partition.size());
    merge.beginPartition();
    skipping = false;
    passed = 0;
  }

  private void take(EntryCursor first, RowSink sink) {
    switch (first.kind()) {
      case Entry.PARTITION_DELETION -> merge.applyPartitionDeletion();
      case Entry.STATIC_ROW -> {
        if (request.keys().isStaticWanted()) {
          merge.assembleRow(dropped);
          handle(output.staticRow(sink, merge.row()));
        }
      }
      case Entry.ROW -> {
        if (request.keys().areRowsWanted()) {
          merge.assembleRow(dropped);
          int clusteringAt = partition.size() + 1;
          handle(
              output.row(
                  sink,
                  merge.row(),
                  first.keySegment(),
                  first.keyOffset() + clusteringAt,
                  first.keyLength() - clusteringAt));
        } else {
          skipping = true;
        }
      }
      default -> {
        if (merge.applyBounds(tally.graceSince())) {
          tally.countBounds(1);
        }
      }
    }
  }

  private void handle(RowSink.Next next) {
    skipping = next == RowSink.Next.SKIP_PARTITION;
    stopped = next == RowSink.Next.STOP;
  }
}
