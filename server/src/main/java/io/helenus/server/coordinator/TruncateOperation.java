package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;

/** A running TRUNCATE. Reports its outcome once. Shard thread only. */
final class TruncateOperation extends Deadlines.Operation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final Deadlines deadlines;
  private final WriteCallback callback;
  private final int tableId;
  private boolean answered;

  TruncateOperation(
      Coordinator coordinator, Deadlines deadlines, int tableId, WriteCallback callback) {
    this.coordinator = coordinator;
    this.tableId = tableId;
    this.deadlines = deadlines;
    this.callback = callback;
  }

  @Override
  public void written(long nanos) {
    if (!answered) {
      answered = true;
      deadlines.remove(this);
      callback.written();
    }
  }

  @Override
  public void notWritten(Exception cause) {
    if (!answered) {
      answered = true;
      deadlines.remove(this);
      coordinator.report("A truncation failed", cause);
      callback.failed(new CqlError.TruncateError("Error during truncate: " + cause.getMessage()));
    }
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        RunningOperation.Kind.TRUNCATE, tableId, ConsistencyLevel.ALL, runningNanos);
  }

  @Override
  void timedOut() {
    answered = true;
    callback.failed(new CqlError.TruncateError("Truncate timed out - received only 0 responses"));
  }
}
