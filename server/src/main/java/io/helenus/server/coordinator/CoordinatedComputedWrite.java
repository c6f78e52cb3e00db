package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.TombstoneLimitException;

/**
 * A computed write as a state machine: its inputs are the reply and the deadline. The level
 * determines which replicas decide about the write; for a conditional write the level of the commit
 * determines how many must acknowledge it. Reports its outcome once. Shard thread only, except for
 * {@link #isOverdue}.
 */
final class CoordinatedComputedWrite extends Deadlines.Operation
    implements ReplicaAccess.ComputedReply {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final WriteType type;
  private final Commit commit;
  private final int required;
  private final int tableId;
  private final ComputedCallback callback;
  private long deadlineNanos;
  private boolean answered;

  /** The consistency level of the commit, and how many replicas it needs and has. */
  record Commit(ConsistencyLevel level, int required, int alive) {}

  CoordinatedComputedWrite(
      Coordinator coordinator,
      ConsistencyLevel level,
      WriteType type,
      int required,
      Commit commit,
      int tableId,
      ComputedCallback callback) {
    this.coordinator = coordinator;
    this.level = level;
    this.type = type;
    this.required = required;
    this.commit = commit;
    this.tableId = tableId;
    this.callback = callback;
  }

  /** Sets the deadline; to be called before the write is sent. */
  void start() {
    deadlineNanos = coordinator.shard().nanos() + coordinator.computed(type).timeoutNanos();
    coordinator.computed(type).add(this);
  }

  @Override
  public void computed(ComputedResult result) {
    if (result.wrote()) {
      coordinator.metrics().mutation();
      measure(result.tookNanos());
    }
    if (!end()) {
      return;
    }
    if (result.wrote() && commit.alive < commit.required) {
      // As in Cassandra, which checks the level of the commit after the write was decided.
      fail(Failures.unavailable(commit.level, commit.required, commit.alive));
      return;
    }
    try {
      callback.computed(result);
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  private void measure(long replicaNanos) {
    long now = coordinator.shard().nanos();
    if (!answered) {
      long took = now - coordinator.computed(type).startNanos(this);
      coordinator.metrics().written(tableId, took, now);
    }
    coordinator.metrics().applied(tableId, replicaNanos, now);
  }

  @Override
  public void notRead(Exception cause) {
    if (!end()) {
      return;
    }
    coordinator.metrics().failed(type.requestKind());
    if (type != WriteType.CAS) {
      coordinator.report("Read of a " + type + " write failed", cause);
      fail(Failures.notWritten(cause, level, required, type));
      return;
    }
    if (cause instanceof TombstoneLimitException) {
      fail(
          new CqlError.ReadFailure(
              Failures.tooManyTombstones(),
              level.code(),
              0,
              required,
              Failures.tombstoneReasons(),
              false));
      return;
    }
    coordinator.report("Read of a conditional write failed", cause);
    fail(
        new CqlError.ReadFailure(
            Failures.failed(0, cause), level.code(), 0, required, Failures.reasons(), false));
  }

  @Override
  public void notWritten(Exception cause) {
    if (end()) {
      coordinator.metrics().failed(type.requestKind());
      fail(Failures.notWritten(cause, level, required, type));
    }
  }

  @Override
  public void refused(CqlError error) {
    if (end()) {
      fail(error);
    }
  }

  @Override
  public boolean isOverdue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  /** The deadline has passed, as detected by the replica or by {@link Deadlines}. */
  @Override
  public void timedOut() {
    if (end()) {
      coordinator.metrics().timedOut(type.requestKind(), true);
      String text = type == WriteType.CAS ? Failures.casTimedOut(required) : Failures.timedOut(0);
      fail(new CqlError.WriteTimeout(text, level.code(), 0, required, type.name(), 0));
    }
  }

  /** Returns false if it has already been answered. */
  private boolean end() {
    if (answered) {
      return false;
    }
    answered = true;
    Deadlines deadlines = coordinator.computed(type);
    deadlines.remove(this);
    long took = coordinator.shard().nanos() - deadlines.startNanos(this);
    coordinator.metrics().writeEnded(type.requestKind(), took);
    return true;
  }

  private void fail(CqlError error) {
    try {
      callback.failed(error);
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(RunningOperation.Kind.WRITE, tableId, level, runningNanos);
  }
}
