package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;

/**
 * The write of one mutation as a state machine: its inputs are replies and the deadline. Reports
 * its outcome once. Shard thread only.
 */
final class CoordinatedWrite extends Deadlines.Operation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final WriteType type;
  private final int required;
  private final ByteWriter mutation;
  private final WriteCallback callback;
  private boolean answered;

  CoordinatedWrite(
      Coordinator coordinator,
      ConsistencyLevel level,
      WriteType type,
      int required,
      ByteWriter mutation,
      WriteCallback callback) {
    this.coordinator = coordinator;
    this.level = level;
    this.type = type;
    this.required = required;
    this.mutation = mutation;
    this.callback = callback;
  }

  @Override
  public void written(long nanos) {
    coordinator.metrics().mutation();
    measure(nanos);
    coordinator.release(mutation);
    if (!answered) {
      answered = true;
      coordinator.writes().remove(this);
      try {
        callback.written();
      } catch (Throwable e) {
        coordinator.answerFailed(callback::failed, e);
      }
    } else {
      callback.writtenLate();
    }
  }

  private void fail(CqlError error) {
    try {
      callback.failed(error);
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  /**
   * Batches are measured as a whole; for their parts, only the time at the replica is recorded
   * here.
   */
  private void measure(long replicaNanos) {
    long now = coordinator.shard().nanos();
    long took = answered || type.isPart() ? -1 : now - coordinator.writes().startNanos(this);
    if (took >= 0) {
      coordinator.metrics().writeEnded(RequestKind.WRITE, took);
    }
    coordinator.measureWrite(mutation, took, replicaNanos, now);
  }

  @Override
  public void notWritten(Exception cause) {
    coordinator.metrics().mutation();
    measure(-1);
    coordinator.release(mutation);
    if (!answered) {
      answered = true;
      coordinator.writes().remove(this);
      if (!type.isPart()) {
        coordinator.metrics().failed(RequestKind.WRITE);
      }
      fail(Failures.notWritten(cause, level, required, type));
    }
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        RunningOperation.Kind.WRITE, coordinator.firstTable(mutation), level, runningNanos);
  }

  @Override
  void timedOut() {
    measure(-1);
    answered = true;
    if (!type.isPart()) {
      // not dropped: the replica still carries it out
      coordinator.metrics().timedOut(RequestKind.WRITE, false);
    }
    fail(
        new CqlError.WriteTimeout(Failures.timedOut(0), level.code(), 0, required, type.name(), 0));
  }
}
