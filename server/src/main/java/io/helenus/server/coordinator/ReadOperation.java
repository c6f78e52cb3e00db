package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Consistency;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;

/**
 * One read of a partition, or of a token range shard after shard: the machine of a read. Inputs are
 * replies and the deadline; it answers once. Shard thread only.
 */
final class ReadOperation extends Deadlines.Operation implements ReplicaAccess.ReadReply {
  private final Coordinator coordinator;
  private final Deadlines deadlines;
  private final Consistency level;
  private final int required;
  private final ReadRequest request;
  private final RowSink sink;
  private final ReadCallback callback;
  private final int lastShard;
  private int shard;
  private boolean answered;

  ReadOperation(
      Coordinator coordinator,
      Deadlines deadlines,
      Consistency level,
      int required,
      int firstShard,
      int lastShard,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    this.coordinator = coordinator;
    this.deadlines = deadlines;
    this.level = level;
    this.required = required;
    this.shard = firstShard;
    this.lastShard = lastShard;
    this.request = request;
    this.sink = sink;
    this.callback = callback;
  }

  void start() {
    deadlines.add(this);
    coordinator.replicas().read(coordinator.shard(), shard, request, sink, this);
  }

  @Override
  public void read(boolean stopped) {
    if (answered) {
      return;
    }
    if (!stopped && shard < lastShard) {
      shard++;
      coordinator.replicas().read(coordinator.shard(), shard, request, sink, this);
      return;
    }
    answered = true;
    deadlines.remove(this);
    callback.done(stopped);
  }

  @Override
  public void notRead(Exception cause) {
    if (answered) {
      return;
    }
    answered = true;
    deadlines.remove(this);
    coordinator.report("a read failed", cause);
    callback.failed(
        new CqlError.ReadFailure(
            Failures.failed(0, cause), level.code(), 0, required, Failures.reasons(), false));
  }

  @Override
  void timedOut() {
    answered = true;
    callback.failed(
        new CqlError.ReadTimeout(Failures.timedOut(0), level.code(), 0, required, false));
  }
}
