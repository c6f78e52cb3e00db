package io.helenus.server.replica;

import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.ShareId;
import org.jspecify.annotations.Nullable;

/** A computed write in the queue of its partition: the message to its shard and the reply. */
final class QueuedWrite implements Runnable, WriteEntry {
  private final Shard from;
  private final Shard target;
  private final PartitionQueues queues;
  private final ComputedWrite write;
  private final ReplicaAccess.ComputedReply reply;
  private long queuedNanos;
  private long beganNanos;
  private int rows;
  private int tombstones;
  private boolean wrote;
  private boolean settled;
  private @Nullable Runnable answer;
  private @Nullable ReadCursor cursor;
  private @Nullable RowSink sink;

  QueuedWrite(
      Shard from,
      Shard target,
      PartitionQueues queues,
      ComputedWrite write,
      ReplicaAccess.ComputedReply reply) {
    this.from = from;
    this.target = target;
    this.queues = queues;
    this.write = write;
    this.reply = reply;
  }

  ComputedWrite write() {
    return write;
  }

  /** On the target's thread at first, then on that of the request. */
  @Override
  public void run() {
    if (settled) {
      if (answer != null) {
        answer.run();
      }
      return;
    }
    queuedNanos = target.nanos();
    queues.add(this);
  }

  @Override
  public boolean begin() {
    beganNanos = target.readClock();
    if (reply.isOverdue(beganNanos)) {
      settle(reply::timedOut);
      return false;
    }
    return true;
  }

  /** Reads and computes; done at once if it has failed meanwhile. */
  @Override
  public boolean run(PartitionTurn turn) {
    try {
      return settled || read(turn);
    } catch (Throwable e) {
      Exception cause = target.fatal().contain(e);
      endRead();
      notComputed(cause);
      return true;
    }
  }

  private boolean read(PartitionTurn turn) {
    ReadCursor open = cursor;
    RowSink into = sink;
    if (open == null || into == null) {
      boolean needsShare = write.needsCounterShare();
      ShareId share = needsShare ? turn.engine().counterShare() : null;
      if (share == null && needsShare) {
        turn.engine().claimCounterShare(failure -> claimed(failure, turn));
        return false;
      }
      into = write.begin(share);
      open = turn.read(write.request());
      sink = into;
      cursor = open;
    }
    switch (open.advance(into)) {
      case WAITING -> {
        open.whenReady(turn);
        return false;
      }
      case YIELD -> {
        target.executeLast(turn);
        return false;
      }
      case DONE, STOPPED -> compute(open, turn);
    }
    return true;
  }

  /** The engine has a share id, or the write fails. */
  private void claimed(@Nullable Exception failure, PartitionTurn turn) {
    if (failure != null) {
      notWritten(failure);
    }
    turn.run();
  }

  private void compute(ReadCursor read, PartitionTurn turn) {
    rows = read.rowsRead();
    tombstones = read.tombstonesRead();
    ByteWriter mutation = turn.buffer();
    wrote = write.compute(turn.nextTimestamp(), mutation);
    if (wrote) {
      turn.write(mutation.segment(), mutation.size());
    }
    endRead();
    turn.answer(this);
  }

  private void endRead() {
    sink = null;
    ReadCursor ended = cursor;
    if (ended != null) {
      cursor = null;
      ended.close();
    }
  }

  @Override
  public long waitedNanos() {
    return beganNanos - queuedNanos;
  }

  @Override
  public void durable(int turn) {
    long now = target.readClock();
    ComputedResult result =
        new ComputedResult(
            wrote, beganNanos - queuedNanos, now - beganNanos, turn, rows, tombstones);
    settle(() -> reply.computed(result));
  }

  /** The computation failed; nothing is written. */
  void notComputed(Exception cause) {
    if (cause instanceof CqlException known) {
      refused(known.error());
    } else {
      settle(() -> reply.notRead(cause));
    }
  }

  @Override
  public void notWritten(Exception cause) {
    settle(() -> reply.notWritten(cause));
  }

  @Override
  public void refused(CqlError error) {
    settle(() -> reply.refused(error));
  }

  private void settle(Runnable outcome) {
    settled = true;
    answer = outcome;
    if (target == from) {
      outcome.run();
    } else {
      target.send(from, this);
    }
  }
}
