package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;

/** A running TRUNCATE. Reports its outcome once. Shard thread only. */
final class CoordinatedTruncate extends Deadlines.Operation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final Deadlines deadlines;
  private final WriteCallback callback;
  private final int tableId;
  private boolean answered;

  CoordinatedTruncate(
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
      try {
        callback.written();
      } catch (Throwable e) {
        coordinator.answerFailed(callback::failed, e);
      }
    }
  }

  private void fail(String message) {
    try {
      callback.failed(new CqlError.TruncateError(message));
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  @Override
  public void notWritten(Exception cause) {
    if (!answered) {
      answered = true;
      deadlines.remove(this);
      coordinator.report("Truncate failed", cause);
      fail("Error during truncate: " + cause.getMessage());
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
    fail("Truncate timed out - received only 0 responses");
  }
}
