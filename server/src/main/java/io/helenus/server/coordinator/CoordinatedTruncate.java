package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.ring.ConsistencyLevel;
import java.util.UUID;

/**
 * Carries out the actions of one {@link TruncateOperation}. If this node alone has rows of the
 * table, its replica truncates it; otherwise the log of the cluster has all members do it. Shard
 * thread only.
 */
final class CoordinatedTruncate extends TruncateOperation
    implements ReplicaAccess.WriteReply, Metadata.TruncationCallback {
  private final Coordinator coordinator;
  private final Deadlines deadlines;
  private final WriteCallback callback;
  private final int tableId;
  private final ReplicaSet replicas;
  private volatile boolean over;

  /**
   * Creates the operation.
   *
   * @param replicas all nodes that have rows of the table
   */
  CoordinatedTruncate(
      Coordinator coordinator,
      Deadlines deadlines,
      int tableId,
      ReplicaSet replicas,
      WriteCallback callback) {
    super(first(replicas.size()));
    this.replicas = replicas;
    this.coordinator = coordinator;
    this.tableId = tableId;
    this.deadlines = deadlines;
    this.callback = callback;
  }

  /** Has all replicas truncate the table, if they are up. */
  void start(ClusterTruncation cluster) {
    int alive = Integer.bitCount(replicas.live());
    if (alive < replicas.size()) {
      over = true;
      callback.failed(Failures.unavailable(ConsistencyLevel.ALL, replicas.size(), alive));
      return;
    }
    deadlines.add(this);
    if (replicas.isLocalOnly()) {
      coordinator.replicas().truncate(coordinator.shard(), tableId, this);
    } else {
      cluster.truncate(tableId, coordinator.shard(), this);
    }
  }

  @Override
  public void truncated(UUID member) {
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.member(i).hostId().equals(member)) {
        truncated(i);
      }
    }
  }

  @Override
  public void failed(CqlError error) {
    if (abandoned() == FAIL) {
      end();
      coordinator.fail(callback, error);
    }
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public void written(long nanos) {
    truncated(LOCAL);
  }

  private void truncated(int replica) {
    if (replicaTruncated(replica) == ANSWER) {
      end();
      try {
        callback.written();
      } catch (Throwable e) {
        coordinator.answerFailed(callback::failed, e);
      }
    }
  }

  @Override
  public void notWritten(Exception cause) {
    if (abandoned() == FAIL) {
      end();
      coordinator.report("Truncate failed", cause);
      fail("Error during truncate: " + cause.getMessage());
    }
  }

  @Override
  void timedOut() {
    if (deadlinePassed() == TIME_OUT) {
      over = true;
      fail("Truncate timed out - received only " + received() + " responses");
    }
  }

  private void end() {
    over = true;
    deadlines.remove(this);
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
