package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.reply.ReplyRows;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;

/**
 * Passes the rows of one partition from the only reply to a sink, which is what most reads of
 * several replicas come to: where all agree, there is nothing to merge. Shard thread only;
 * reusable.
 */
final class AgreedRows {
  private final ReplyRows rows = new ReplyRows();
  private final ReadTally tally = new ReadTally();
  private final PartitionOutput output = new PartitionOutput(tally);
  private final RowView view = new RowView();
  private final ByteWriter position = new ByteWriter(64);
  private final ReadSlice slice;
  private int positionPrefix;

  /** Whether the current row has not been passed on yet. */
  private boolean pending;

  AgreedRows(Clock clock, int clockEvery) {
    slice = new ReadSlice(clock, clockEvery);
  }

  /**
   * Whether the rows of the replies to a request can be passed on as they are: those of one
   * partition, without elements, and without columns that this node knows to be dropped.
   */
  static boolean suffice(ReadRequest request, TableSources sources) {
    return request.keys().isPartition()
        && request.keys().areRowsWanted()
        && sources.multiCellColumns().length == 0
        && sources.dropped() == DroppedColumns.NONE;
  }

  /** Begins a read with the first reply, which must stay valid until {@link #end}. */
  void begin(ReadRequest request, TableSources sources, MemorySegment reply) {
    // nobody asks how many tombstones the merge has
    tally.begin(request, sources.table(), false);
    output.open(request.limits());
    output.begin(request.segment(), request.keys().lowerLength());
    rows.begin(reply);
    slice.open();
    pending = false;
    positionPrefix = 0;
  }

  /**
   * Passes rows to a sink. WAITING is the end of a reply from which the read goes on at {@link
   * #position}.
   */
  Status advance(RowSink sink) {
    slice.begin();
    Status status = pass(sink);
    slice.end(status == Status.YIELD);
    return status;
  }

  private Status pass(RowSink sink) {
    while (pending || rows.next()) {
      int length = rows.valueLength();
      pending = !slice.mayPass(length);
      if (pending) {
        return Status.YIELD;
      }
      view.wrap(rows.segment(), rows.valueOffset(), length);
      switch (pass(view, sink)) {
        case CONTINUE, KEPT -> {
          if (slice.isUp(1, length)) {
            return Status.YIELD;
          }
        }
        case SKIP_PARTITION -> {
          return Status.DONE;
        }
        case STOP -> {
          return Status.STOPPED;
        }
      }
    }
    positionPrefix = rows.putPosition(position);
    return positionPrefix > 0 ? Status.WAITING : Status.DONE;
  }

  private RowSink.Next pass(RowView row, RowSink sink) {
    return rows.isStatic()
        ? output.staticRow(sink, row)
        : output.row(sink, row, rows.segment(), rows.clusteringOffset(), rows.clusteringLength());
  }

  /** The key from which on the read goes on, or before which in a reversed one. */
  ByteWriter position() {
    return position;
  }

  /** The length of the prefix of that key. */
  int positionPrefix() {
    return positionPrefix;
  }

  /** The output, with which the read goes on. */
  PartitionOutput output() {
    return output;
  }

  /** The number of live rows. */
  int rowsRead() {
    return tally.rows();
  }

  /** Forgets the reply. */
  void end() {
    rows.end();
  }
}
