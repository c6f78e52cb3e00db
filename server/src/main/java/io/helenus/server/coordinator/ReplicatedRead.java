package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TombstoneLimitException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of one {@link ReplicatedReadOperation}: asks replicas, this node's among
 * them, for what they have, merges it into the sink, and sends them what they lack ({@link
 * ReadRepair}). Tokens with different replicas are read one set after the other, in token order.
 * Shard thread only.
 */
final class ReplicatedRead extends ReplicatedReadOperation implements ReplyHandler, RunningRead {
  /** How much a replica sends at once. */
  private static final int REPLY_BYTES = 1 << 20;

  /** The bit of a tag that says that the reply is a digest; the others number the replica. */
  private static final int DIGEST = 1 << 8;

  private static final int REPLICA = DIGEST - 1;

  private static final long[] NOTHING_SENT = {};

  private final Coordinator coordinator;
  private final Placement placement;
  private final ConsistencyLevel level;
  private final ReadRequest request;
  private final RowSink sink;
  private final ReadCallback callback;
  private final @Nullable RequestTrace trace;
  private final long deadlineNanos;
  private final long lastToken;
  private final ReplicaReplies replies;
  private final ReplicaFailures reasons = new ReplicaFailures();
  private final ReadMerge merging;

  private int turn;
  private long firstToken;
  private long endToken;
  private ReplicaSet replicas;
  private @Nullable ReadRepair repair;

  /** The requests to other nodes, by the number of the replica. */
  private long[] sent = NOTHING_SENT;

  private int rows;

  /**
   * That of the schema before this round asked anybody: what replicas lack is written as of then,
   * so that rows from before a TRUNCATE do not return.
   */
  private long epoch;

  private int tombstones;
  private boolean released;

  /**
   * Creates the read of the tokens from the first to the last, inclusive.
   *
   * @param startNanos when the client's request began
   */
  ReplicatedRead(
      Coordinator coordinator,
      Placement placement,
      long firstToken,
      long lastToken,
      ConsistencyLevel level,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    this.coordinator = coordinator;
    this.replies = new ReplicaReplies(coordinator);
    this.placement = placement;
    this.replicas = placement.replicas(firstToken);
    this.firstToken = firstToken;
    this.endToken = firstToken;
    this.lastToken = lastToken;
    this.level = level;
    this.request = request;
    this.merging = new ReadMerge(coordinator, this, replies, sink);
    this.sink = sink;
    this.callback = callback;
    this.trace = callback.trace();
    this.deadlineNanos = startNanos + deadlines().timeoutNanos();
  }

  private Deadlines deadlines() {
    return coordinator.deadlines().reads(request.keys().isPartition());
  }

  private RequestKind kind() {
    return request.keys().isPartition() ? RequestKind.READ : RequestKind.RANGE_SLICE;
  }

  @Nullable RequestTrace trace() {
    return trace;
  }

  long remainingNanos() {
    return deadlineNanos - coordinator.shard().nanos();
  }

  void start() {
    deadlines().add(this);
    if (remainingNanos() <= 0) {
      require(placement.required(level));
      timedOut();
      return;
    }
    if (coordinator.isTooOld(request)) {
      fail(
          new CqlError.Invalid(
              "Reads as of more than "
                  + ReplicaAccess.OLDEST_NOW_SECONDS
                  + " s ago are not supported yet for rows with replicas on other nodes"));
      return;
    }
    if (request.lookup().nearestCount() > 0) {
      fail(LocalOnly.NEAREST.error());
      return;
    }
    readRange();
  }

  // ---- asking

  /** Reads the tokens from the first one that have the same replicas. */
  private void readRange() {
    replicas = placement.replicas(firstToken);
    endToken = Math.min(lastToken, placement.lastWithSameReplicas(firstToken));
    int live = replicas.live();
    int alive = Admission.alive(replicas, level);
    int needed = placement.required(level);
    if (alive < needed) {
      fail(Failures.unavailable(level, placement, needed, alive));
      return;
    }
    sent = new long[replicas.size()];
    replies.begin(replicas.size());
    ReadRequest part =
        request.keys().isPartition() ? request : RangePart.of(request, firstToken, endToken);
    merging.begin(part, replicas.size());
    turn = replicas.turn(firstToken);
    perform(begin(needed, live));
  }

  private Step begin(int needed, int live) {
    epoch = coordinator.epoch();
    return begin(needed, live, replicas.first(turn), turn);
  }

  private void perform(Step step) {
    try {
      carryOut(step);
    } catch (Throwable e) {
      Exception contained = coordinator.shard().fatal().contain(e);
      coordinator.report("Read of several replicas failed", contained);
      fail(new CqlError.ServerError(contained.toString()));
    }
  }

  private void carryOut(Step step) {
    switch (step) {
      case WAIT -> {}
      case SEND -> send();
      case COMPARE -> perform(compared(digestsAgree()));
      case MERGE -> merge();
      case REPAIR -> repair();
      case NEXT -> {
        coordinator.metrics().shortRead();
        perform(begin(required(), replicas.live()));
      }
      case ANSWER -> rangeRead();
      case FAIL -> throw new IllegalStateException("a failure is reported where it happens");
      case TIME_OUT -> reportTimeout();
    }
  }

  private void send() {
    int withData = dataFrom();
    int withDigest = digestsFrom();
    for (int i = 0; i < replicas.size() && !isEnded(); i++) {
      if ((withData & 1 << i) != 0) {
        ask(i, false);
      } else if ((withDigest & 1 << i) != 0) {
        ask(i, true);
      }
    }
  }

  private void ask(int replica, boolean digest) {
    ReadRequest wanted = merging.nextRequest();
    if (wanted == null) {
      return;
    }
    if (replicas.member(replica).isLocal()) {
      ReplicaActivity.reading(trace, wanted, firstToken, endToken);
      new LocalReplicaRead(coordinator, this, replica, deadlineNanos, wanted)
          .start(firstToken, endToken, REPLY_BYTES);
      return;
    }
    sent[replica] =
        coordinator
            .others()
            .read(
                replicas.member(replica),
                firstToken,
                endToken,
                wanted,
                digest ? RemoteReplicas.Read.DIGEST : RemoteReplicas.Read.DATA,
                REPLY_BYTES,
                remainingNanos(),
                digest ? replica | DIGEST : replica,
                TracedReply.of(trace, this));
    if (sent[replica] == RemoteReplicas.NOT_SENT) {
      broken(replica);
    } else {
      callback.askedOther();
    }
  }

  // ---- replies

  @Override
  public void replied(int tag, MemorySegment body, long offset, int length) {
    int replica = tag & REPLICA;
    if ((tag & DIGEST) != 0) {
      replies.putDigest(replica, body, offset, length);
      perform(digest(replica));
    } else {
      ByteWriter reply = coordinator.takeBuffer();
      reply.putBytes(body, offset, length);
      received(replica, reply);
    }
  }

  /** This node's replica has replied; the buffer is this operation's from now on. */
  void readLocally(int replica, ByteWriter reply, int tombstonesRead) {
    tombstones += tombstonesRead;
    received(replica, reply);
  }

  /** What that has taken from files; the reply follows. */
  void sources(int files, int blocks, long bytes) {
    sink.sources(files, blocks, bytes);
  }

  void notReadLocally(int replica, Exception cause) {
    if (cause instanceof TombstoneLimitException limit && !isEnded()) {
      callback.tooManyTombstones(limit.rows(), limit.tombstones());
    }
    failedLocally(replica, cause);
  }

  private void received(int replica, ByteWriter reply) {
    replies.putData(replica, reply);
    perform(data(replica));
  }

  @Override
  public void failed(int tag, byte code, String text) {
    int replica = tag & REPLICA;
    replicaFailed(
        replica,
        coordinator.others().address(replicas.member(replica)),
        RefusalCode.reason(code),
        new RemoteFailureException(replicas.member(replica), text));
  }

  /** This node's replica could not read, or not take what it lacked. */
  void failedLocally(int replica, Exception cause) {
    replicaFailed(replica, coordinator.others().localAddress(), RefusalCode.reason(cause), cause);
  }

  private void replicaFailed(
      int replica, @Nullable InetSocketAddress address, int reason, Exception cause) {
    if (isAwaited(replica)) {
      reasons.add(address, reason);
    }
    Step step = failed(replica);
    if (step != Step.FAIL) {
      perform(step);
      return;
    }
    coordinator.metrics().failed(kind());
    if (!(cause instanceof TombstoneLimitException)) {
      coordinator.report("Read failed", cause);
    }
    ReplicaActivity.ended(trace, "Failed", this);
    report(Failures.notRead(cause, level, this, hasData()));
  }

  @Override
  public void broken(int tag) {
    perform(lost(tag & REPLICA));
  }

  @Override
  public List<CqlError.FailureReason> reasons(int localReason) {
    return reasons.reasons();
  }

  @Override
  public String failureText(int localReason, String localText) {
    return reasons.text();
  }

  private boolean hasData() {
    return replied() != 0;
  }

  private boolean digestsAgree() {
    boolean agree = replies.agree(Integer.numberOfTrailingZeros(replied()), digests());
    if (!agree) {
      coordinator.metrics().digestMismatch();
      ReplicaActivity.differ(trace, request, firstToken, endToken);
    }
    return agree;
  }

  // ---- merging

  private void merge() {
    merging.start(replied(), epoch);
  }

  /** Replies are merged as far as all are complete. */
  void merged(int lacking) {
    perform(merged(lacking, merging.isOver()));
  }

  void notMerged(Exception cause) {
    coordinator.report("The merge of a read failed", cause);
    fail(new CqlError.ServerError(cause.toString()));
  }

  private void repair() {
    ReplicaDifferences found = merging.differences();
    if (found == null) {
      return;
    }
    coordinator.metrics().readRepair();
    repair = new ReadRepair(coordinator, this, replicas);
    repair.start(found, replies.merging());
  }

  void replicaRepaired(int replica) {
    perform(repaired(replica));
  }

  // ---- the end

  /** These replicas have nothing more; the next tokens follow, or the answer. */
  private void rangeRead() {
    rows += merging.rowsRead();
    releaseBuffers();
    if (!merging.isStopped() && endToken < lastToken) {
      firstToken = endToken + 1;
      goOn();
      readRange();
      return;
    }
    deadlines().remove(this);
    released = true;
    measure();
    try {
      callback.done(merging.isStopped(), rows, tombstones);
    } catch (Throwable e) {
      coordinator.answerFailed(callback::failed, e);
    }
  }

  private void fail(CqlError error) {
    if (end()) {
      report(error);
    }
  }

  private void report(CqlError error) {
    close();
    measure();
    coordinator.fail(callback, error);
    releaseOnce();
  }

  private void reportTimeout() {
    coordinator.metrics().timedOut(kind(), true);
    ReplicaActivity.ended(trace, "Timed out", this);
    report(Failures.readTimedOut(level, this, hasData()));
  }

  @Override
  void timedOut() {
    perform(deadlinePassed());
  }

  @Override
  void stopped() {
    fail(Failures.stopping());
  }

  @Override
  public void cancel() {
    if (end()) {
      close();
      measure();
      releaseOnce();
    }
  }

  private void releaseOnce() {
    if (!released) {
      released = true;
      callback.released();
    }
  }

  private void close() {
    deadlines().remove(this);
    if (repair != null) {
      repair.close();
    }
    for (int i = 0; i < replicas.size(); i++) {
      if ((awaited() & 1 << i) != 0 && !replicas.member(i).isLocal() && sent.length > i) {
        coordinator.others().forget(replicas.member(i), sent[i]);
      }
    }
    releaseBuffers();
  }

  private void releaseBuffers() {
    merging.close();
    replies.release();
  }

  /** Each replica measures what it has read. */
  private void measure() {
    long now = coordinator.shard().readClock();
    long took = now - deadlines().startNanos(this);
    coordinator
        .metrics()
        .readCoordinated(request.tableId(), request.keys().isPartition(), took, now);
  }

  @Override
  RunningOperation describe(long runningNanos) {
    return new RunningOperation(
        request.keys().isPartition() ? RunningOperation.Kind.READ : RunningOperation.Kind.SCAN,
        request.tableId(),
        level,
        runningNanos);
  }
}
