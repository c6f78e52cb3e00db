package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TombstoneLimitException;
import io.helenus.storage.env.ContainedErrorException;
import org.jspecify.annotations.Nullable;

/**
 * A read of one partition, or of a token range shard by shard, as a state machine. It ends on a
 * reply, its deadline, a cancellation or a node stop, whichever comes first, and then also stops at
 * the replica. The callback is called at most once. Shard thread only.
 */
final class CoordinatedRead extends Deadlines.Operation
    implements ReplicaAccess.ReadReply, RunningRead {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final int required;
  private final ReadRequest request;
  private final RowSink sink;
  private final ReadCallback callback;
  private final int lastShard;
  private final long deadlineNanos;
  private int shard;
  private RunningRead atReplica = RunningRead.ENDED;
  private @Nullable Earlier earlier;
  private boolean answered;

  CoordinatedRead(
      Coordinator coordinator,
      ConsistencyLevel level,
      int required,
      int firstShard,
      int lastShard,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    this.coordinator = coordinator;
    this.level = level;
    this.required = required;
    this.shard = firstShard;
    this.lastShard = lastShard;
    this.request = request;
    this.sink = sink;
    this.callback = callback;
    this.deadlineNanos = startNanos + deadlines().timeoutNanos();
  }

  /** The counts of the shards already read. */
  private static final class Earlier {
    private int rows;
    private int tombstones;
    private long nanos;
  }

  private Deadlines deadlines() {
    return request.keys().isPartition() ? coordinator.reads() : coordinator.ranges();
  }

  private RequestKind kind() {
    return request.keys().isPartition() ? RequestKind.READ : RequestKind.RANGE_SLICE;
  }

  void start() {
    Deadlines deadlines = deadlines();
    deadlines.begin(this);
    if (isOverdue(coordinator.shard().nanos())) {
      timedOut();
      return;
    }
    readShard();
    // most reads of this shard's memtables and cached blocks have ended by now
    if (!answered) {
      deadlines.list(this);
    }
  }

  private void readShard() {
    int asked = shard;
    RunningRead read = coordinator.replicas().read(coordinator.shard(), asked, request, sink, this);
    // The reply may have arrived during the call and started the read of the next shard.
    if (asked == shard) {
      atReplica = read;
    }
  }

  @Override
  public void read(boolean stopped, int rows, int tombstones, long nanos) {
    if (answered) {
      released();
      return;
    }
    if (!stopped && shard < lastShard) {
      shard++;
      remember(rows, tombstones, nanos);
      readShard();
      return;
    }
    answered = true;
    deadlines().remove(this);
    measure(rows, tombstones, nanos);
    Earlier before = earlier;
    try {
      if (before == null) {
        callback.done(stopped, rows, tombstones);
      } else {
        callback.done(stopped, before.rows + rows, before.tombstones + tombstones);
      }
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  @Override
  public void released() {
    callback.released();
  }

  private void fail(CqlError error) {
    try {
      callback.failed(error);
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  private void remember(int rows, int tombstones, long nanos) {
    Earlier before = earlier;
    if (before == null) {
      before = new Earlier();
      earlier = before;
    }
    before.rows += rows;
    before.tombstones += tombstones;
    before.nanos += Math.max(0, nanos);
  }

  private void measure(int rows, int tombstones, long nanos) {
    long now = coordinator.shard().readClock();
    long took = now - deadlines().startNanos(this);
    boolean partition = request.keys().isPartition();
    ShardMetrics metrics = coordinator.metrics();
    Earlier before = earlier;
    if (before == null) {
      long atReplica = nanos < 0 ? took : nanos;
      metrics.read(request.tableId(), partition, took, atReplica, rows, tombstones, now);
    } else {
      metrics.read(
          request.tableId(),
          partition,
          took,
          before.nanos + Math.max(0, nanos),
          before.rows + rows,
          before.tombstones + tombstones,
          now);
    }
  }

  private void measureFailure() {
    long now = coordinator.shard().readClock();
    long took = now - deadlines().startNanos(this);
    coordinator.metrics().readFailed(request.tableId(), request.keys().isPartition(), took, now);
  }

  @Override
  public void notRead(Exception cause) {
    if (answered) {
      return;
    }
    answered = true;
    deadlines().remove(this);
    measureFailure();
    coordinator.metrics().failed(kind());
    if (cause instanceof TombstoneLimitException limit) {
      callback.tooManyTombstones(limit.rows(), limit.tombstones());
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
    coordinator.report("Read failed", cause);
    fail(
        cause instanceof ContainedErrorException
            ? new CqlError.ServerError(String.valueOf(cause.getMessage()))
            : new CqlError.ReadFailure(
                Failures.failed(0, cause), level.code(), 0, required, Failures.reasons(), false));
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

  /** The deadline has passed, as detected by the replica or by {@link Deadlines}. */
  @Override
  public void timedOut() {
    if (abandon()) {
      coordinator.metrics().timedOut(kind(), true);
      fail(new CqlError.ReadTimeout(Failures.timedOut(0), level.code(), 0, required, false));
    }
  }

  @Override
  void stopped() {
    if (abandon()) {
      fail(Failures.stopping());
    }
  }

  @Override
  public void cancel() {
    boolean ignored = abandon();
  }

  /** Ends the read before its reply; returns false if it has already ended. */
  private boolean abandon() {
    if (answered) {
      return false;
    }
    answered = true;
    deadlines().remove(this);
    atReplica.cancel();
    measureFailure();
    return true;
  }
}
