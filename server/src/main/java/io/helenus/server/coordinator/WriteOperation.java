package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import java.util.Set;

/**
 * One mutation on its way to its replicas: the machine of a write. Inputs are replies and the
 * deadline; it answers once. Shard thread only.
 */
final class WriteOperation extends Deadlines.Operation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final WriteType type;
  private final int required;
  private final ByteWriter mutation;
  private final WriteCallback callback;
  private boolean answered;

  WriteOperation(
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
    }
  }

  private void fail(CqlError error) {
    try {
      callback.failed(error);
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  /** A batch is measured as a whole: here only what its replicas did. */
  private void measure(long replicaNanos) {
    long now = coordinator.shard().nanos();
    long took = answered || type.isPart() ? -1 : now - coordinator.writes().startNanos(this);
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
      fail(
          new CqlError.WriteFailure(
              Failures.failed(0, cause),
              level.code(),
              0,
              required,
              Failures.reasons(),
              type.name()));
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
    fail(
        new CqlError.WriteTimeout(Failures.timedOut(0), level.code(), 0, required, type.name(), 0));
  }

  /** A batch's many writes as one: told when all are done, or the first failure. */
  static final class All implements WriteCallback {
    private final Coordinator coordinator;
    private final Set<Integer> tables;
    private final long startNanos;
    private final WriteCallback callback;
    private int missing;
    private boolean answered;

    All(
        Coordinator coordinator,
        List<PartitionWrite> writes,
        long startNanos,
        WriteCallback callback) {
      this.coordinator = coordinator;
      this.tables = coordinator.tables(writes);
      this.startNanos = startNanos;
      this.missing = writes.size();
      this.callback = callback;
    }

    @Override
    public void written() {
      missing--;
      if (missing == 0 && !answered) {
        answered = true;
        measure();
        try {
          callback.written();
        } catch (Throwable e) {
          coordinator.answerFailed(callback::failed, e);
        }
      }
    }

    @Override
    public void failed(CqlError error) {
      if (!answered) {
        answered = true;
        measure();
        callback.failed(error);
      }
    }

    /** Once for each table, however many partitions of it there were. */
    private void measure() {
      long now = coordinator.shard().nanos();
      for (int table : tables) {
        coordinator.metrics().written(table, now - startNanos, now);
      }
    }
  }
}
