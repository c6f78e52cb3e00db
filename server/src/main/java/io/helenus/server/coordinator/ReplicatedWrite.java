package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable RequestTrace trace;

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
    this.trace = callback.trace();
  }

  /** Sends the mutation to all replicas; to this node's last, as its bytes are then its own. */
  void startEverywhere(long token) {
    coordinator.deadlines().writes().add(this);
    ReplicaActivity.placing(trace);
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
                  TracedReply.of(trace, this));
      sent[i] = id;
      if (id == RemoteReplicas.NOT_SENT) {
        ended(
            count(i, Failures.UNKNOWN_REASON),
            new RemoteFailureException(replicas.member(i), "the link is down or does not keep up"));
      }
    }
    if (replicas.hasLocal()) {
      startLocally(token, trace);
    }
  }

  @Override
  public void replied(int replica, MemorySegment body, long offset, int length) {
    writtenElsewhere(replicaWrote(replica));
  }

  @Override
  public void failed(int replica, byte code, String text) {
    RemoteFailureException cause = new RemoteFailureException(replicas.member(replica), text);
    int actions = count(replica, RefusalCode.reason(code));
    if ((actions & FAIL) != 0) {
      // the client is only told the protocol's reason
      coordinator.report("Write failed", cause);
    }
    ended(actions, cause);
  }

  private int count(int replica, int reason) {
    reasons.add(coordinator.others().address(replicas.member(replica)), reason);
    return replicaFailed(replica);
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
    addLocal();
    return reasons.reasons();
  }

  @Override
  public String failureText(int localReason, String localText) {
    addLocal();
    return reasons.text();
  }

  /** A failure that is not of another node is of this one. */
  private void addLocal() {
    if (reasons.size() < failures()) {
      reasons.add(coordinator.others().localAddress(), Failures.UNKNOWN_REASON);
    }
  }
}
