package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metrics.RequestKind;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.LargeSegments;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's coordinator: checks that enough replicas are alive for the consistency level, sends
 * the request to them, and reports the outcome when enough have answered or the timeout has passed.
 * All requests pass through it, even on a single node. Shard thread only.
 */
public final class Coordinator {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

  private final Shard shard;
  private final Admission admission;
  private final ReplicaAccess replicas;
  private final RemoteReplicas others;
  private final BatchLogKeeper batchLog;
  private final LongSupplier schemaEpoch;
  private final IntPredicate repaired;
  private final ClusterTruncation truncations;
  private final Clock clock;
  private final ShardMetrics metrics;
  private final MutationFacts mutations;
  private final RequestDeadlines deadlines;
  private final MutationBuffers buffers;
  private final RequestCopies copies = new RequestCopies();
  private boolean readsStopped;

  /**
   * Creates the coordinator of a shard; only logged batches use the batch log.
   *
   * @param repaired whether reads of a table, by its storage id, repair replicas that differ
   * @param truncations truncates tables that have rows on other nodes
   */
  public Coordinator(
      Shard shard,
      Placements placements,
      ReplicaAccess replicas,
      RemoteReplicas others,
      BatchLogKeeper batchLog,
      LongSupplier schemaEpoch,
      IntPredicate repaired,
      ClusterTruncation truncations,
      Clock clock,
      Timeouts timeouts,
      ShardMetrics metrics,
      LargeSegments segments) {
    this.buffers = new MutationBuffers(segments);
    this.shard = shard;
    this.admission = new Admission(placements, metrics);
    this.others = others;
    this.replicas = replicas;
    this.batchLog = batchLog;
    this.schemaEpoch = schemaEpoch;
    this.repaired = repaired;
    this.truncations = truncations;
    this.clock = clock;
    this.metrics = metrics;
    this.mutations = new MutationFacts(metrics);
    this.deadlines = new RequestDeadlines(shard, clock, timeouts);
  }

  /** Changes the timeouts, also of the operations in progress. */
  public void timeouts(Timeouts changed) {
    deadlines.timeouts(changed);
  }

  /** The shard whose requests it coordinates. */
  public Shard shard() {
    return shard;
  }

  ReplicaAccess replicas() {
    return replicas;
  }

  public RequestCopies copies() {
    return copies;
  }

  RemoteReplicas others() {
    return others;
  }

  BatchLogKeeper batchLog() {
    return batchLog;
  }

  long wallMicros() {
    return clock.wallMicros();
  }

  RequestDeadlines deadlines() {
    return deadlines;
  }

  /** The measurements of this shard. */
  public ShardMetrics metrics() {
    return metrics;
  }

  /** The operations in progress, grouped by kind, each oldest first. */
  public List<RunningOperation> running() {
    return deadlines.describe();
  }

  /** How many buffers and copies of requests are in use: none when nothing is in progress. */
  public int borrowed() {
    return buffers.taken() + copies.taken();
  }

  /** What mutations are about, and their measurement. */
  public MutationFacts mutations() {
    return mutations;
  }

  /** The epoch of the present schema. */
  long epoch() {
    return schemaEpoch.getAsLong();
  }

  /** Whether a read of a table writes to replicas what they lack. */
  boolean repairs(int tableId) {
    return repaired.test(tableId);
  }

  /** Whether a read is as of a time for which replicas may not have the same expired values. */
  boolean isTooOld(ReadRequest request) {
    return ReplicaAccess.isTooOld(request, clock);
  }

  /**
   * A client's callback has thrown: that client receives a SERVER_ERROR, others are not affected.
   */
  public void answerFailed(Consumer<CqlError> answer, Throwable failure) {
    Exception contained = shard.fatal().contain(failure);
    LOG.error("Unexpected exception answering a request", contained);
    try {
      answer.accept(new CqlError.ServerError(failure.toString()));
    } catch (Throwable again) {
      LOG.error("Cannot send an error to a client", shard.fatal().contain(again));
    }
  }

  /** Reports a failure to a client, whose callback may throw. */
  void fail(FailureCallback callback, CqlError error) {
    try {
      callback.failed(error);
    } catch (Throwable e) {
      answerFailed(callback::failed, e);
    }
  }

  void report(String what, Exception cause) {
    LOG.error("{}: {}", what, cause.getMessage(), cause);
  }

  /**
   * Takes an empty buffer for a mutation from the pool. It is handed over with a write or returned
   * by {@link #release}.
   */
  public ByteWriter takeBuffer() {
    return buffers.take();
  }

  /** Returns a buffer to the pool. */
  public void release(ByteWriter buffer) {
    buffers.release(buffer);
  }

  /**
   * Checks that enough replicas are alive for a write that reads.
   *
   * @throws CqlException UNAVAILABLE if there are too few
   */
  public void requireReplicas(KeyspaceProperties keyspace, long token, ConsistencyLevel level) {
    boolean ignored =
        admission.admitLocal(
            RequestKind.WRITE,
            keyspace,
            token,
            level,
            LocalOnly.LIST_ELEMENT,
            error -> {
              throw new CqlException(error);
            });
  }

  /**
   * Checks that enough replicas are alive for every part of a batch; releases the buffers if not.
   */
  private boolean admitAll(
      List<PartitionWrite> batch, ConsistencyLevel level, FailureCallback callback) {
    for (PartitionWrite part : batch) {
      if (!admission.admit(RequestKind.WRITE, part.keyspace(), part.token(), level, callback)) {
        batch.forEach(each -> release(each.mutation()));
        return false;
      }
    }
    return true;
  }

  /**
   * Writes one mutation of one partition.
   *
   * @param mutation owned by the coordinator from now on
   */
  public void write(
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel level,
      WriteType type,
      ByteWriter mutation,
      WriteCallback callback) {
    RequestKind kind = type.isPart() ? null : RequestKind.WRITE;
    if (!admission.admit(kind, keyspace, token, level, callback)) {
      release(mutation);
      return;
    }
    int required = admission.required();
    ReplicaSet replicas = admission.replicas();
    if (replicas.isLocalOnly()) {
      new CoordinatedWrite(this, level, type, required, ReplyCount.LOCAL_ONLY, mutation, callback)
          .start(token);
    } else {
      new ReplicatedWrite(
              this, replicas, admission.live(), level, type, required, mutation, callback)
          .startEverywhere(token);
    }
  }

  /** Writes the parts of an unlogged batch independently of each other. */
  public void writeAll(List<PartitionWrite> batch, ConsistencyLevel level, WriteCallback callback) {
    if (!admitAll(batch, level, callback)) {
      return;
    }
    UnloggedBatch parts = new UnloggedBatch(this, batch, callback);
    for (PartitionWrite part : batch) {
      writePart(part, level, WriteType.UNLOGGED_BATCH, parts);
    }
  }

  /**
   * Writes a logged batch: stores its entry in the batch log, writes its parts and removes the
   * entry. If it fails in between, a replay completes it.
   */
  public void writeLogged(
      List<PartitionWrite> batch, ConsistencyLevel level, WriteCallback callback) {
    for (PartitionWrite part : batch) {
      if (!admission.admitLocal(
          RequestKind.WRITE,
          part.keyspace(),
          part.token(),
          level,
          LocalOnly.LOGGED_BATCH,
          callback)) {
        batch.forEach(each -> release(each.mutation()));
        return;
      }
    }
    if (admitAll(batch, level, callback)) {
      new LoggedBatch(this, batch, level, callback).start();
    }
  }

  void writePart(
      PartitionWrite part, ConsistencyLevel level, WriteType type, WriteCallback callback) {
    write(part.keyspace(), part.token(), level, type, part.mutation(), callback);
  }

  /**
   * Reads rows of a partition, computes a conditional write from them and writes its mutation, as
   * one step among all computed writes of the partition.
   *
   * @param serial SERIAL or LOCAL_SERIAL: which replicas take part in the decision
   * @param commit how many replicas must acknowledge the mutation
   */
  public void computeConditional(
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel serial,
      ConsistencyLevel commit,
      ComputedWrite write,
      ComputedCallback callback) {
    Placement placement = admission.placement(keyspace);
    int alive = Admission.alive(placement.replicas(token), commit);
    compute(
        keyspace,
        token,
        serial,
        WriteType.CAS,
        new CoordinatedComputedWrite.Commit(commit, placement.required(commit), alive),
        write,
        callback);
  }

  /** The same for a write without conditions. */
  public void compute(
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel level,
      WriteType type,
      ComputedWrite write,
      ComputedCallback callback) {
    compute(
        keyspace,
        token,
        level,
        type,
        new CoordinatedComputedWrite.Commit(level, 0, 0),
        write,
        callback);
  }

  private void compute(
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel level,
      WriteType type,
      CoordinatedComputedWrite.Commit commit,
      ComputedWrite write,
      ComputedCallback callback) {
    LocalOnly what =
        switch (type) {
          case CAS -> LocalOnly.CONDITION;
          case COUNTER -> LocalOnly.INCREMENT;
          default -> LocalOnly.LIST_ELEMENT;
        };
    if (!admission.admitLocal(type.requestKind(), keyspace, token, level, what, callback)) {
      return;
    }
    new CoordinatedComputedWrite(
            this, level, type, admission.required(), commit, write.request().tableId(), callback)
        .start(token, write);
  }

  /**
   * Reads one partition. The sink is called on the partition's shard, the callback here afterwards.
   * After a failure or cancellation, request and sink may still be in use and must not be reused.
   *
   * @param startNanos when the client's request began; its deadline counts from there
   * @return the handle that cancels the read
   */
  public RunningRead readPartition(
      KeyspaceProperties keyspace,
      long token,
      ConsistencyLevel level,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    if (!admission.admit(RequestKind.READ, keyspace, token, level, callback)) {
      return RunningRead.ENDED;
    }
    int required = admission.required();
    if (!isLocal(required)) {
      return startReplicated(keyspace, token, token, level, startNanos, request, sink, callback);
    }
    return start(
        new CoordinatedRead(this, level, required, startNanos, request, sink, callback),
        token,
        token);
  }

  /**
   * Reads the partitions with tokens from the first to the last, inclusive, in token order. The
   * request contains the exact range of key prefixes. Otherwise like {@link #readPartition}.
   */
  public RunningRead readRange(
      KeyspaceProperties keyspace,
      long firstToken,
      long lastToken,
      ConsistencyLevel level,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    if (!admission.admit(RequestKind.RANGE_SLICE, keyspace, firstToken, level, callback)) {
      return RunningRead.ENDED;
    }
    int required = admission.required();
    if (!isLocal(required)
        || admission.placement(keyspace).lastWithSameReplicas(firstToken) < lastToken) {
      return startReplicated(
          keyspace, firstToken, lastToken, level, startNanos, request, sink, callback);
    }
    return start(
        new CoordinatedRead(this, level, required, startNanos, request, sink, callback),
        firstToken,
        lastToken);
  }

  /** Whether the replica of this node is enough for the read that was admitted. */
  private boolean isLocal(int required) {
    return required <= 1 && admission.replicas().hasLocal();
  }

  private RunningRead startReplicated(
      KeyspaceProperties keyspace,
      long firstToken,
      long lastToken,
      ConsistencyLevel level,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    ReplicatedRead read =
        new ReplicatedRead(
            this,
            admission.placement(keyspace),
            firstToken,
            lastToken,
            level,
            startNanos,
            request,
            sink,
            callback);
    if (readsStopped) {
      read.stopped();
    } else {
      read.start();
    }
    return read;
  }

  private RunningRead start(CoordinatedRead operation, long firstToken, long lastToken) {
    if (readsStopped) {
      operation.stopped();
    } else {
      operation.start(firstToken, lastToken);
    }
    return operation;
  }

  /** Cancels the reads in progress and rejects further ones, because the node is stopping. */
  public void stopReads() {
    readsStopped = true;
    deadlines.stopReads();
  }

  /** Truncates a table on all its replicas, which must all be up. */
  public void truncate(KeyspaceProperties keyspace, TableSchema table, WriteCallback callback) {
    ReplicaSet all = admission.placement(keyspace).everywhere();
    new CoordinatedTruncate(this, deadlines.truncates(), table.storageId(), all, callback)
        .start(truncations);
  }
}
