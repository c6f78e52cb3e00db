package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the actions of one {@link WriteOperation}: sends the mutation to its replicas, passes
 * their replies and the deadline on to the operation, answers the client, and returns the mutation
 * to the pool. Shard thread only.
 *
 * <p>The mutation is in the pool again when nobody reads it: after the last reply, or after the
 * deadline. At the deadline it is taken back from a replica that has not replied ({@link
 * RunningWrite#withdraw}): at once if the replica has not begun to read it, which it then does not
 * do any more, or has copied it; otherwise when it says that it has stopped reading. If it never
 * does, its shard has died while it was reading, and the memory is left to the garbage collector
 * with the message that refers to it: the operation is in no list any more.
 */
class CoordinatedWrite extends WriteOperation implements ReplicaAccess.WriteReply {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final WriteType type;
  private final WriteCallback callback;
  private @Nullable ByteWriter mutation;
  private RunningWrite atReplica = RunningWrite.ENDED;

  CoordinatedWrite(
      Coordinator coordinator,
      ConsistencyLevel level,
      WriteType type,
      int required,
      int replicas,
      ByteWriter mutation,
      WriteCallback callback) {
    super(required, replicas);
    this.coordinator = coordinator;
    this.level = level;
    this.type = type;
    this.mutation = mutation;
    this.callback = callback;
  }

  /** Sends the mutation to the replica of this node. */
  final void start(long token) {
    coordinator.deadlines().writes().add(this);
    RequestTrace trace = callback.trace();
    ReplicaActivity.placing(trace);
    startLocally(token, trace);
  }

  final void startLocally(long token, @Nullable RequestTrace trace) {
    ByteWriter sent = mutation;
    if (sent != null) {
      ReplicaActivity.writing(trace, sent.segment(), 0, sent.size());
      atReplica =
          coordinator
              .replicas()
              .write(coordinator.shard(), token, sent.segment(), sent.size(), this);
    }
  }

  @Override
  public final void written(long nanos) {
    coordinator.metrics().mutation();
    int actions = replicaWrote(LOCAL);
    measure((actions & ANSWER) != 0, nanos);
    perform(actions, null);
  }

  @Override
  public final void notWritten(Exception cause) {
    coordinator.metrics().mutation();
    ended(replicaFailed(LOCAL), cause);
  }

  /** Carries out what follows from a failure. */
  final void ended(int actions, Exception cause) {
    measure((actions & FAIL) != 0, -1);
    perform(actions, cause);
  }

  /** Carries out what follows from the loss of a link. */
  final void outcomeUnknown(int actions) {
    measure((actions & TIME_OUT) != 0, -1);
    perform(actions, null);
  }

  /** The mutation; null if it is free. */
  final @Nullable ByteWriter mutation() {
    return mutation;
  }

  /** Carries out what follows from the success of a replica on another node. */
  final void writtenElsewhere(int actions) {
    measure((actions & ANSWER) != 0, -1);
    perform(actions, null);
  }

  @Override
  public final void released() {
    perform(withdrawn(), null);
  }

  @Override
  void timedOut() {
    int actions = deadlinePassed();
    measure((actions & TIME_OUT) != 0, -1);
    perform(actions, null);
  }

  private void perform(int actions, @Nullable Exception cause) {
    if (!isPending()) {
      coordinator.deadlines().writes().remove(this);
    }
    if ((actions & RELEASE) != 0) {
      release();
    }
    if ((actions & WITHDRAW) != 0) {
      coordinator.deadlines().writes().remove(this);
      if (atReplica.withdraw()) {
        perform(withdrawn(), null);
      }
    }
    if ((actions & ANSWER) != 0) {
      reportWritten();
    } else if ((actions & FAIL) != 0 && cause != null) {
      if (!type.isPart()) {
        coordinator.metrics().failed(RequestKind.WRITE);
      }
      ReplicaActivity.ended(callback.trace(), "Failed", this);
      coordinator.fail(callback, Failures.notWritten(cause, level, this, type));
    } else if ((actions & TIME_OUT) != 0) {
      if (!type.isPart()) {
        // not dropped: the replica may still carry it out
        coordinator.metrics().timedOut(RequestKind.WRITE, false);
      }
      ReplicaActivity.ended(callback.trace(), "Timed out", this);
      coordinator.fail(callback, Failures.writeTimedOut(level, this, type));
    } else if ((actions & ANSWER_LATE) != 0) {
      callback.writtenLate();
    }
  }

  private void release() {
    ByteWriter unused = mutation;
    if (unused != null) {
      mutation = null;
      coordinator.release(unused);
    }
  }

  private void reportWritten() {
    try {
      callback.written();
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  /**
   * Batches are measured as a whole; for their parts, only the time at the replica is recorded
   * here. What a replica does after the deadline is not recorded for its tables: nobody knows them
   * then.
   */
  private void measure(boolean ends, long replicaNanos) {
    ByteWriter known = mutation;
    if (known == null) {
      return;
    }
    long now = coordinator.shard().nanos();
    long took =
        ends && !type.isPart() ? now - coordinator.deadlines().writes().startNanos(this) : -1;
    if (took >= 0) {
      coordinator.metrics().writeEnded(RequestKind.WRITE, took);
    }
    coordinator.mutations().measure(known, took, replicaNanos, now);
  }

  @Override
  public List<CqlError.FailureReason> reasons(int localReason) {
    InetSocketAddress own = coordinator.others().localAddress();
    return own == null
        ? super.reasons(localReason)
        : ReplicaFailures.of(own, localReason).reasons();
  }

  @Override
  public String failureText(int localReason, String localText) {
    InetSocketAddress own = coordinator.others().localAddress();
    return own == null ? localText : ReplicaFailures.of(own, localReason).text();
  }

  @Override
  RunningOperation describe(long runningNanos) {
    ByteWriter known = mutation;
    int tableId = known == null ? 0 : coordinator.mutations().firstTable(known);
    return new RunningOperation(RunningOperation.Kind.WRITE, tableId, level, runningNanos);
  }
}
