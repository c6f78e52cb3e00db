package io.helenus.server.coordinator;

import io.helenus.server.coordinator.BatchReplayOperation.Step;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the steps of one {@link BatchReplayOperation}: reads an entry, applies the mutations
 * that may still be applied ({@link ReplayedParts}), and removes it when all have been written. Has
 * the deadline of a write and reports its outcome once. The memory of the mutations is its own, so
 * that it needs not be taken back from a replica that does not reply. Shard thread only.
 */
final class BatchReplay extends Deadlines.Operation {
  private static final Logger LOG = LoggerFactory.getLogger(BatchReplay.class);

  /** The outcome for an entry. */
  enum Outcome {
    /** Removed, or had been removed before. */
    GONE,
    /** Reading, a part, or the removal failed or timed out: to be retried. */
    KEPT,
    /** This program cannot read the entry: kept, but not retried until the node restarts. */
    UNREADABLE
  }

  /** Receives the outcome, once. */
  interface Callback {
    /** The replay of the entry has ended. */
    void ended(Outcome outcome, String reason);
  }

  /** The dependencies of an operation. */
  record Context(
      Shard shard,
      ReplicaAccess replicas,
      BatchLogKeeper batchLog,
      ReplayTables tables,
      Deadlines deadlines) {}

  private final Context context;
  private final BatchId id;
  private final long nowMicros;
  private final Callback callback;
  private final BatchReplayOperation operation = new BatchReplayOperation();
  private RunningRead reading = RunningRead.ENDED;

  BatchReplay(Context context, BatchId id, long nowMicros, Callback callback) {
    this.context = context;
    this.id = id;
    this.nowMicros = nowMicros;
    this.callback = callback;
  }

  void start() {
    context.deadlines().add(this);
    ByteWriter prefix = id.prefix();
    ReadRequest request = new ReadRequest().reset(BatchLog.TABLE_ID, 0);
    request.partition(prefix.segment(), 0, prefix.size());
    EntryCell cell = new EntryCell();
    reading =
        context
            .replicas()
            .read(context.shard(), id.token(), id.token(), request, cell, new EntryRead(cell));
  }

  private final class EntryRead implements ReplicaAccess.ReadReply {
    private final EntryCell cell;

    EntryRead(EntryCell cell) {
      this.cell = cell;
    }

    @Override
    public void read(boolean stopped, int rows, int tombstones, long nanos) {
      found(cell.value);
    }

    @Override
    public void notRead(Exception cause) {
      perform(operation.entryNotRead(), "it cannot be read: " + cause.getMessage());
    }
  }

  private void found(@Nullable ByteWriter value) {
    if (value == null) {
      perform(operation.entryGone(), "");
      return;
    }
    int version = BatchEntry.version(value.segment(), 0, value.size());
    if (!BatchEntry.isKnown(version)) {
      perform(operation.entryUnreadable(), "its format version " + version + " is unknown");
      return;
    }
    List<ByteWriter> parts;
    try {
      parts = partsOf(BatchEntry.decode(value.segment(), 0, value.size()));
    } catch (IllegalArgumentException e) {
      perform(operation.entryUnreadable(), String.valueOf(e.getMessage()));
      return;
    }
    if (operation.partsFound(parts.size()) == Step.WRITE_PARTS) {
      write(parts);
    } else {
      perform(Step.REMOVE_ENTRY, "");
    }
  }

  private List<ByteWriter> partsOf(BatchEntry entry) {
    if (ReplayedParts.isTooOld(entry, context.tables(), nowMicros)) {
      LOG.warn(
          "Dropping batch {} from the batch log: it was not completed within the gc_grace_seconds"
              + " of its tables. Parts that were never written are lost",
          id);
      return List.of();
    }
    return ReplayedParts.of(entry, context.tables());
  }

  /** Sends each part to the replicas of its token: that of this node is the only one yet. */
  private void write(List<ByteWriter> parts) {
    for (int i = 0; i < parts.size(); i++) {
      ByteWriter part = parts.get(i);
      long token = Bytes.getLong(part.segment(), 0);
      context
          .replicas()
          .write(context.shard(), token, part.segment(), part.size(), new PartReply(i));
    }
  }

  private final class PartReply implements ReplicaAccess.WriteReply {
    private final int part;

    PartReply(int part) {
      this.part = part;
    }

    @Override
    public void written(long nanos) {
      Step step = operation.partWritten(part);
      if (step == Step.REMOVE_ENTRY) {
        LOG.info("Completed batch {} from the batch log", id);
      }
      perform(step, "");
    }

    @Override
    public void notWritten(Exception cause) {
      perform(operation.partFailed(part), String.valueOf(cause.getMessage()));
    }
  }

  private final class RemovalReply implements ReplicaAccess.WriteReply {
    @Override
    public void written(long nanos) {
      perform(operation.entryRemoved(), "");
    }

    @Override
    public void notWritten(Exception cause) {
      perform(operation.entryNotRemoved(), String.valueOf(cause.getMessage()));
    }
  }

  private void perform(Step step, String reason) {
    switch (step) {
      case WAIT, WRITE_PARTS -> {
        // the parts are written by who has them
      }
      case REMOVE_ENTRY -> context.batchLog().remove(id, new RemovalReply());
      case REPORT_GONE -> end(Outcome.GONE, reason);
      case REPORT_KEPT -> end(Outcome.KEPT, reason);
      case CANCEL_READ_AND_REPORT_KEPT -> {
        reading.cancel();
        end(Outcome.KEPT, reason);
      }
      case REPORT_UNREADABLE -> end(Outcome.UNREADABLE, reason);
    }
  }

  private void end(Outcome outcome, String reason) {
    context.deadlines().remove(this);
    callback.ended(outcome, reason);
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        RunningOperation.Kind.WRITE, BatchLog.TABLE_ID, ConsistencyLevel.ONE, runningNanos);
  }

  @Override
  void timedOut() {
    perform(operation.deadlinePassed(), "it timed out");
  }

  /** Copies the cell that holds an entry. */
  private static final class EntryCell implements RowSink {
    private @Nullable ByteWriter value;

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      row.rewind();
      while (row.nextCell()) {
        if (row.column() == BatchLog.COLUMN_ID) {
          value =
              new ByteWriter(Math.max(1, row.valueLength()))
                  .putBytes(row.segment(), row.valueOffset(), row.valueLength());
        }
      }
      return Next.CONTINUE;
    }
  }
}
