package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.TombstoneLimitException;

/**
 * Carries out the actions of one {@link ComputedWriteOperation}. The level determines which
 * replicas decide about the write; for a conditional write the level of the commit determines how
 * many must acknowledge it. Shard thread only, except for {@link #isOverdue}.
 */
final class CoordinatedComputedWrite extends ComputedWriteOperation
    implements ReplicaAccess.ComputedReply {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final WriteType type;
  private final Commit commit;
  private final int tableId;
  private final ComputedCallback callback;
  private long deadlineNanos;

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
    super(required, LOCAL_ONLY, commit.alive >= commit.required);
    this.coordinator = coordinator;
    this.level = level;
    this.type = type;
    this.commit = commit;
    this.tableId = tableId;
    this.callback = callback;
  }

  /** Sends the write to the replicas that decide: that of this node is the only one yet. */
  void start(long token, ComputedWrite write) {
    Deadlines deadlines = coordinator.deadlines().computed(type);
    deadlineNanos = coordinator.shard().nanos() + deadlines.timeoutNanos();
    deadlines.add(this);
    coordinator.replicas().compute(coordinator.shard(), token, write, this);
  }

  @Override
  public void computed(ComputedResult result) {
    if (result.wrote()) {
      coordinator.metrics().mutation();
      measure(result.tookNanos());
    }
    switch (replicaComputed(LOCAL, result.wrote())) {
      case ANSWER -> {
        end();
        try {
          callback.computed(result);
        } catch (Throwable e) {
          coordinator.answerFailed(callback::failed, e);
        }
      }
      case REPORT_UNAVAILABLE -> {
        end();
        fail(Failures.unavailable(commit.level, commit.required, commit.alive));
      }
      default -> {
        // late, or one of several
      }
    }
  }

  private void measure(long replicaNanos) {
    long now = coordinator.shard().nanos();
    if (!isAnswered()) {
      long took = now - coordinator.deadlines().computed(type).startNanos(this);
      coordinator.metrics().written(tableId, took, now);
    }
    coordinator.metrics().applied(tableId, replicaNanos, now);
  }

  @Override
  public void notRead(Exception cause) {
    if (replicaFailed(LOCAL) != FAIL) {
      return;
    }
    end();
    coordinator.metrics().failed(type.requestKind());
    if (type != WriteType.CAS) {
      coordinator.report("Read of a " + type + " write failed", cause);
      fail(Failures.notWritten(cause, level, this, type));
      return;
    }
    if (!(cause instanceof TombstoneLimitException)) {
      coordinator.report("Read of a conditional write failed", cause);
    }
    fail(Failures.notRead(cause, level, this, false));
  }

  @Override
  public void notWritten(Exception cause) {
    if (replicaFailed(LOCAL) == FAIL) {
      end();
      coordinator.metrics().failed(type.requestKind());
      fail(Failures.notWritten(cause, level, this, type));
    }
  }

  @Override
  public void refused(CqlError error) {
    if (replicaFailed(LOCAL) == FAIL) {
      end();
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
    if (deadlinePassed() == TIME_OUT) {
      end();
      coordinator.metrics().timedOut(type.requestKind(), true);
      fail(Failures.writeTimedOut(level, this, type));
    }
  }

  private void end() {
    Deadlines deadlines = coordinator.deadlines().computed(type);
    deadlines.remove(this);
    long took = coordinator.shard().nanos() - deadlines.startNanos(this);
    coordinator.metrics().writeEnded(type.requestKind(), took);
  }

  private void fail(CqlError error) {
    coordinator.fail(callback, error);
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(RunningOperation.Kind.WRITE, tableId, level, runningNanos);
  }
}
