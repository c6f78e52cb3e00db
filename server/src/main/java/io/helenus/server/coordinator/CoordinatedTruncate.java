package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;

/** Carries out the actions of one {@link TruncateOperation}. Shard thread only. */
final class CoordinatedTruncate extends TruncateOperation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final Deadlines deadlines;
  private final WriteCallback callback;
  private final int tableId;

  CoordinatedTruncate(
      Coordinator coordinator, Deadlines deadlines, int tableId, WriteCallback callback) {
    super(LOCAL_ONLY);
    this.coordinator = coordinator;
    this.tableId = tableId;
    this.deadlines = deadlines;
    this.callback = callback;
  }

  /** Sends the request to all replicas: that of this node is the only one yet. */
  void start() {
    deadlines.add(this);
    coordinator.replicas().truncate(coordinator.shard(), tableId, this);
  }

  @Override
  public void written(long nanos) {
    if (replicaTruncated(LOCAL) == ANSWER) {
      deadlines.remove(this);
      try {
        callback.written();
      } catch (Throwable e) {
        coordinator.answerFailed(callback::failed, e);
      }
    }
  }

  @Override
  public void notWritten(Exception cause) {
    if (replicaFailed(LOCAL) == FAIL) {
      deadlines.remove(this);
      coordinator.report("Truncate failed", cause);
      fail("Error during truncate: " + cause.getMessage());
    }
  }

  @Override
  void timedOut() {
    if (deadlinePassed() == TIME_OUT) {
      fail("Truncate timed out - received only " + received() + " responses");
    }
  }

  private void fail(String message) {
    coordinator.fail(callback, new CqlError.TruncateError(message));
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        RunningOperation.Kind.TRUNCATE, tableId, ConsistencyLevel.ALL, runningNanos);
  }
}
