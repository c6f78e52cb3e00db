package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A write with replicas on other nodes, and perhaps on this one. They are sent copies of the
 * mutation, so that it is free as soon as this node's replica and the client have their due. The
 * others are listened to until the deadline. Shard thread only.
 */
final class ReplicatedWrite extends CoordinatedWrite implements ReplyHandler {
  private final Coordinator coordinator;
  private final ReplicaSet replicas;
  private final int live;
  private final long[] sent;
  private final ReplicaFailures reasons = new ReplicaFailures();

  /**
   * Creates the write.
   *
   * @param live the replicas that it is sent to
   */
  ReplicatedWrite(
      Coordinator coordinator,
      ReplicaSet replicas,
      int live,
      ConsistencyLevel level,
      WriteType type,
      int required,
      ByteWriter mutation,
      WriteCallback callback) {
    super(coordinator, level, type, required, live, mutation, callback);
    this.coordinator = coordinator;
    this.replicas = replicas;
    this.live = live;
    this.sent = new long[replicas.size()];
  }

  /** Sends the mutation to all replicas; to this node's last, as its bytes are then its own. */
  void startEverywhere(long token) {
    coordinator.deadlines().writes().add(this);
    for (int i = 0; i < replicas.size(); i++) {
      ByteWriter mutation = mutation();
      if ((live & 1 << i) == 0 || replicas.member(i).isLocal() || mutation == null) {
        continue;
      }
      long id =
          coordinator
              .others()
              .write(
                  replicas.member(i),
                  token,
                  mutation.segment(),
                  0,
                  mutation.size(),
                  false,
                  coordinator.deadlines().writes().timeoutNanos(),
                  i,
                  this);
      sent[i] = id;
      if (id == RemoteReplicas.NOT_SENT) {
        failed(i, Failures.UNKNOWN_REASON, "the link is down or does not keep up");
      }
    }
    if (replicas.hasLocal()) {
      startLocally(token);
    }
  }

  @Override
  public void replied(int replica, MemorySegment body, long offset, int length) {
    writtenElsewhere(replicaWrote(replica));
  }

  @Override
  public void failed(int replica, byte code, String text) {
    failed(replica, RefusalCode.reason(code), text);
  }

  private void failed(int replica, int reason, String text) {
    reasons.add(coordinator.others().address(replicas.member(replica)), reason);
    ended(replicaFailed(replica), new RemoteFailureException(replicas.member(replica), text));
  }

  @Override
  public void broken(int replica) {
    outcomeUnknown(replicaLost(replica));
  }

  @Override
  void timedOut() {
    for (int i = 0; i < replicas.size(); i++) {
      if (isPending(i) && !replicas.member(i).isLocal()) {
        coordinator.others().forget(replicas.member(i), sent[i]);
      }
    }
    super.timedOut();
  }

  @Override
  public List<CqlError.FailureReason> reasons(int localReason) {
    return reasons.and(failures(), localReason, coordinator.others().localAddress());
  }
}
