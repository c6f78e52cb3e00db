package io.helenus.server.coordinator;

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
 * Replays one entry: reads it, applies the mutations that may still be applied ({@link
 * ReplayedParts}), and removes it when all have been written. Has the deadline of a write and
 * reports its outcome once. Shard thread only.
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
  private RunningRead reading = RunningRead.ENDED;
  private int missingParts;
  private boolean ended;

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
    RunningRead read =
        context
            .replicas()
            .read(
                context.shard(),
                context.replicas().shardOf(id.token()),
                request,
                cell,
                new ReplicaAccess.ReadReply() {
                  @Override
                  public void read(boolean stopped, int rows, int tombstones, long nanos) {
                    if (!ended) {
                      found(cell.value);
                    }
                  }

                  @Override
                  public void notRead(Exception cause) {
                    end(Outcome.KEPT, "it cannot be read: " + cause.getMessage());
                  }
                });
    if (!ended) {
      reading = read;
    }
  }

  private void found(@Nullable ByteWriter value) {
    if (value == null) {
      end(Outcome.GONE, "");
      return;
    }
    int version = BatchEntry.version(value.segment(), 0, value.size());
    if (!BatchEntry.isKnown(version)) {
      end(Outcome.UNREADABLE, "its format version " + version + " is unknown");
      return;
    }
    try {
      BatchEntry entry = BatchEntry.decode(value.segment(), 0, value.size());
      if (ReplayedParts.isTooOld(entry, context.tables(), nowMicros)) {
        LOG.warn(
            "Dropping batch {} from the batch log: it was not completed within the gc_grace_seconds"
                + " of its tables. Parts that were never written are lost",
            id);
        remove();
      } else {
        apply(ReplayedParts.of(entry, context.tables()));
      }
    } catch (IllegalArgumentException e) {
      end(Outcome.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }

  private void apply(List<ByteWriter> parts) {
    missingParts = parts.size();
    if (parts.isEmpty()) {
      remove();
      return;
    }
    Reply partReply = new Reply(this::partWritten);
    for (ByteWriter part : parts) {
      long token = Bytes.getLong(part.segment(), 0);
      context.replicas().write(context.shard(), token, part.segment(), part.size(), partReply);
    }
  }

  private void partWritten() {
    missingParts--;
    if (missingParts == 0) {
      LOG.info("Completed batch {} from the batch log", id);
      remove();
    }
  }

  private void remove() {
    context.batchLog().remove(id, new Reply(() -> end(Outcome.GONE, "")));
  }

  /** Continues when a write has succeeded; ends the replay of this entry if it failed. */
  private final class Reply implements ReplicaAccess.WriteReply {
    private final Runnable next;

    Reply(Runnable next) {
      this.next = next;
    }

    @Override
    public void written(long nanos) {
      if (!ended) {
        next.run();
      }
    }

    @Override
    public void notWritten(Exception cause) {
      end(Outcome.KEPT, String.valueOf(cause.getMessage()));
    }
  }

  private void end(Outcome outcome, String reason) {
    if (ended) {
      return;
    }
    ended = true;
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
    reading.cancel();
    end(Outcome.KEPT, "it timed out");
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
