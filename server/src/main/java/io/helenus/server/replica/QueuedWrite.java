package io.helenus.server.replica;

import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.shard.Shard;
import org.jspecify.annotations.Nullable;

/** A computed write in the queue of its partition: the message to its shard and the reply. */
final class QueuedWrite implements Runnable, QueueEntry {
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

  /** The rows have been read and the mutation, if any, computed. */
  void computed(boolean hasMutation, int rowsRead, int tombstonesRead) {
    wrote = hasMutation;
    rows = rowsRead;
    tombstones = tombstonesRead;
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
