package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;

/**
 * One request to the keeper of a batch log entry, with a deadline. Reports its outcome once. Shard
 * thread only.
 */
final class BatchLogOperation extends Deadlines.Operation implements ReplicaAccess.WriteReply {
  private static final ConsistencyLevel LEVEL = ConsistencyLevel.ONE;

  private final Coordinator coordinator;
  private final WriteCallback callback;
  private boolean answered;

  BatchLogOperation(Coordinator coordinator, WriteCallback callback) {
    this.coordinator = coordinator;
    this.callback = callback;
  }

  @Override
  public void written(long nanos) {
    ShardMetrics metrics = coordinator.metrics();
    metrics.mutation();
    metrics.applied(BatchLog.TABLE_ID, nanos, coordinator.shard().nanos());
    if (!answered) {
      answered = true;
      coordinator.deadlines().writes().remove(this);
      callback.written();
    }
  }

  @Override
  public void notWritten(Exception cause) {
    coordinator.metrics().mutation();
    if (!answered) {
      answered = true;
      coordinator.deadlines().writes().remove(this);
      callback.failed(Failures.entryNotWritten(cause, LEVEL));
    }
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        RunningOperation.Kind.WRITE, BatchLog.TABLE_ID, LEVEL, runningNanos);
  }

  @Override
  void timedOut() {
    answered = true;
    callback.failed(
        new CqlError.WriteTimeout(
            Failures.timedOut(0), LEVEL.code(), 0, 1, WriteType.BATCH_LOG.name(), 0));
  }
}
