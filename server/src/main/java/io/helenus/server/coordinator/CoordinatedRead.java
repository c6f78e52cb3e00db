package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TombstoneLimitException;
import io.helenus.storage.env.ContainedErrorException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Carries out the actions of one {@link ReadOperation}, a read of one partition or of a token
 * range: sends it to its replicas, passes their replies, the deadline, a cancellation and the end
 * of the node on to the operation, and calls the callback at most once. Shard thread only, except
 * for {@link #isOverdue}.
 */
final class CoordinatedRead extends ReadOperation implements ReplicaAccess.ReadReply, RunningRead {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final ReadRequest request;
  private final RowSink sink;
  private final ReadCallback callback;
  private final long deadlineNanos;
  private RunningRead atReplica = RunningRead.ENDED;
  private int files = -1;

  CoordinatedRead(
      Coordinator coordinator,
      ConsistencyLevel level,
      int required,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    super(required, LOCAL_ONLY);
    this.coordinator = coordinator;
    this.level = level;
    this.request = request;
    this.sink = sink;
    this.callback = callback;
    this.deadlineNanos = startNanos + deadlines().timeoutNanos();
  }

  private Deadlines deadlines() {
    return coordinator.deadlines().reads(request.keys().isPartition());
  }

  private RequestKind kind() {
    return request.keys().isPartition() ? RequestKind.READ : RequestKind.RANGE_SLICE;
  }

  /**
   * Sends the read to the replicas of these tokens. That of this node is the only one yet; others
   * would be sent it here, each with its number and a sink of its own, and their replies counted as
   * this one's are.
   */
  void start(long firstToken, long lastToken) {
    Deadlines deadlines = deadlines();
    deadlines.begin(this);
    if (isOverdue(coordinator.shard().nanos())) {
      timedOut();
      return;
    }
    ReplicaActivity.reading(callback.trace(), request, firstToken, lastToken);
    atReplica =
        coordinator
            .replicas()
            .read(coordinator.shard(), firstToken, lastToken, request, sink, this);
    // most reads of this shard's memtables and cached blocks have ended by now
    if (!isAnswered()) {
      deadlines.list(this);
    }
  }

  @Override
  public void files(int looked) {
    files = looked;
  }

  @Override
  public void read(boolean stopped, int rows, int tombstones, long nanos) {
    int actions = replicaRead(LOCAL);
    end(actions);
    if ((actions & ANSWER) != 0) {
      measure(rows, tombstones, nanos);
      ReplicaActivity.read(callback.trace(), rows, tombstones);
      try {
        callback.done(stopped, rows, tombstones);
      } catch (Throwable e) {
        coordinator.answerFailed(callback::failed, e);
      }
    }
  }

  @Override
  public void notRead(Exception cause) {
    int actions = replicaFailed(LOCAL);
    end(actions);
    if ((actions & FAIL) == 0) {
      return;
    }
    measureFailure();
    coordinator.metrics().failed(kind());
    if (cause instanceof TombstoneLimitException limit) {
      callback.tooManyTombstones(limit.rows(), limit.tombstones());
    } else {
      coordinator.report("Read failed", cause);
    }
    coordinator.fail(
        callback,
        cause instanceof ContainedErrorException
            ? new CqlError.ServerError(String.valueOf(cause.getMessage()))
            : Failures.notRead(cause, level, this, hasData()));
  }

  @Override
  public void released() {
    end(replicaReleased(LOCAL));
  }

  /** The deadline has passed, as detected by the replica or by {@link Deadlines}. */
  @Override
  public void timedOut() {
    int actions = deadlinePassed();
    end(actions);
    if ((actions & TIME_OUT) != 0) {
      measureFailure();
      coordinator.metrics().timedOut(kind(), true);
      coordinator.fail(callback, Failures.readTimedOut(level, this, hasData()));
    }
  }

  @Override
  void stopped() {
    int actions = nodeStops();
    end(actions);
    if ((actions & REPORT_STOP) != 0) {
      measureFailure();
      coordinator.fail(callback, Failures.stopping());
    }
  }

  @Override
  public void cancel() {
    boolean ends = !isAnswered();
    end(cancelled());
    if (ends) {
      measureFailure();
    }
  }

  /** Whether the replica that is asked for rows, not only for their digest, has read them. */
  private boolean hasData() {
    return received() > 0 && !isPending(LOCAL);
  }

  /** Does what comes before an answer. */
  private void end(int actions) {
    if (isAnswered()) {
      deadlines().remove(this);
    }
    if ((actions & CANCEL) != 0) {
      atReplica.cancel();
    }
    if ((actions & RELEASE) != 0) {
      callback.released();
    }
  }

  private void measure(int rows, int tombstones, long nanos) {
    long now = coordinator.shard().readClock();
    long took = now - deadlines().startNanos(this);
    coordinator
        .metrics()
        .read(
            request.tableId(),
            request.keys().isPartition(),
            took,
            nanos < 0 ? took : nanos,
            rows,
            tombstones,
            files,
            now);
  }

  private void measureFailure() {
    long now = coordinator.shard().readClock();
    long took = now - deadlines().startNanos(this);
    coordinator.metrics().readFailed(request.tableId(), request.keys().isPartition(), took, now);
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
    return new RunningOperation(
        request.keys().isPartition() ? RunningOperation.Kind.READ : RunningOperation.Kind.SCAN,
        request.tableId(),
        level,
        runningNanos);
  }

  @Override
  public boolean isOverdue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }
}
