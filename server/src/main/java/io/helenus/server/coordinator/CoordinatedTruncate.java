package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.ring.ConsistencyLevel;
import java.lang.foreign.MemorySegment;

/** Carries out the actions of one {@link TruncateOperation}. Shard thread only. */
final class CoordinatedTruncate extends TruncateOperation
    implements ReplicaAccess.WriteReply, ReplyHandler {
  private final Coordinator coordinator;
  private final Deadlines deadlines;
  private final WriteCallback callback;
  private final int tableId;
  private final ReplicaSet replicas;
  private final long[] sent;

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
    this.sent = new long[replicas.size()];
    this.coordinator = coordinator;
    this.tableId = tableId;
    this.deadlines = deadlines;
    this.callback = callback;
  }

  /** Sends the request to all replicas. */
  void start() {
    deadlines.add(this);
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.member(i).isLocal()) {
        coordinator.replicas().truncate(coordinator.shard(), tableId, this);
        continue;
      }
      long timeout = deadlines.timeoutNanos();
      sent[i] = coordinator.others().truncate(replicas.member(i), tableId, timeout, i, this);
      if (sent[i] == RemoteReplicas.NOT_SENT) {
        broken(i);
      }
    }
  }

  @Override
  public void replied(int replica, MemorySegment body, long offset, int length) {
    truncated(replica);
  }

  @Override
  public void failed(int replica, byte code, String text) {
    if (replicaFailed(replica) == FAIL) {
      deadlines.remove(this);
      fail("Error during truncate: " + text);
    }
  }

  @Override
  public void broken(int replica) {
    failed(replica, (byte) 0, "the link to " + replicas.member(replica).hostId() + " is broken");
  }

  @Override
  public void written(long nanos) {
    truncated(LOCAL);
  }

  private void truncated(int replica) {
    if (replicaTruncated(replica) == ANSWER) {
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

  /** Fails; nobody waits for the replicas that have not replied. */
  private void fail(String message) {
    for (int i = 0; i < replicas.size(); i++) {
      if (isPending(i) && !replicas.member(i).isLocal()) {
        coordinator.others().forget(replicas.member(i), sent[i]);
      }
    }
    coordinator.fail(callback, new CqlError.TruncateError(message));
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        RunningOperation.Kind.TRUNCATE, tableId, ConsistencyLevel.ALL, runningNanos);
  }
}
