package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.MutationView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's coordinator: checks that enough replicas are alive for the consistency level, sends
 * to them, and answers when enough have answered or the time is up. Every request goes through it,
 * on a single node too. Shard thread only.
 */
public final class Coordinator {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
  private static final int BUFFER_BYTES = 1024;
  private static final int KEPT_BUFFER_BYTES = 64 << 10;
  private static final int KEPT_BUFFERS = 4096;

  private final Shard shard;
  private final Placements placements;
  private final ReplicaAccess replicas;
  private final BatchLog batchLog;
  private final ShardMetrics metrics;
  private final MutationView measured = new MutationView();
  private final Deadlines reads;
  private final Deadlines ranges;
  private final Deadlines writes;
  private final Deadlines truncates;
  private final ArrayDeque<ByteWriter> buffers = new ArrayDeque<>();
  private boolean readsStopped;

  /** The coordinator of a shard. */
  public Coordinator(
      Shard shard,
      Placements placements,
      ReplicaAccess replicas,
      BatchLog batchLog,
      Clock clock,
      Timeouts timeouts,
      ShardMetrics metrics) {
    this.shard = shard;
    this.placements = placements;
    this.replicas = replicas;
    this.batchLog = batchLog;
    this.metrics = metrics;
    this.reads = new Deadlines(shard, clock, timeouts.readNanos());
    this.ranges = new Deadlines(shard, clock, timeouts.rangeNanos());
    this.writes = new Deadlines(shard, clock, timeouts.writeNanos());
    this.truncates = new Deadlines(shard, clock, timeouts.truncateNanos());
  }

  /** The shard that it belongs to. */
  public Shard shard() {
    return shard;
  }

  ReplicaAccess replicas() {
    return replicas;
  }

  Deadlines reads() {
    return reads;
  }

  Deadlines ranges() {
    return ranges;
  }

  Deadlines writes() {
    return writes;
  }

  /** What is measured on this shard. */
  public ShardMetrics metrics() {
    return metrics;
  }

  /** What is under way: of each kind the oldest first. */
  public List<RunningOperation> running() {
    List<RunningOperation> running = new ArrayList<>();
    reads.describe(running);
    ranges.describe(running);
    writes.describe(running);
    truncates.describe(running);
    return running;
  }

  /** Measures a mutation for each of its tables; a negative time is not known. */
  void measureWrite(ByteWriter mutation, long nanos, long replicaNanos, long nowNanos) {
    measured.wrap(mutation.segment(), 0, mutation.size());
    while (measured.nextTable()) {
      if (nanos >= 0) {
        metrics.written(measured.tableId(), nanos, nowNanos);
      }
      if (replicaNanos >= 0) {
        metrics.applied(measured.tableId(), replicaNanos, nowNanos);
      }
    }
  }

  int firstTable(ByteWriter mutation) {
    measured.wrap(mutation.segment(), 0, mutation.size());
    return measured.nextTable() ? measured.tableId() : 0;
  }

  Set<Integer> tables(List<PartitionWrite> writes) {
    Set<Integer> tables = new TreeSet<>();
    for (PartitionWrite write : writes) {
      measured.wrap(write.mutation().segment(), 0, write.mutation().size());
      while (measured.nextTable()) {
        tables.add(measured.tableId());
      }
    }
    return tables;
  }

  /**
   * A client's callback failed, while it encoded the answer for example: that client gets a
   * SERVER_ERROR, everybody else goes on.
   */
  public void answerFailed(Consumer<CqlError> answer, Throwable failure) {
    Exception contained = shard.fatal().contain(failure);
    LOG.error("Unexpected exception answering a request", contained);
    try {
      answer.accept(new CqlError.ServerError(failure.toString()));
    } catch (Throwable again) {
      LOG.error("A client cannot be told of its error", shard.fatal().contain(again));
    }
  }

  void report(String what, Exception cause) {
    LOG.error("{}: {}", what, cause.getMessage(), cause);
  }

  /**
   * An empty buffer for a mutation; handed over with a write, or given back by {@link #release}.
   */
  public ByteWriter takeBuffer() {
    ByteWriter pooled = buffers.pollLast();
    return pooled == null ? new ByteWriter(BUFFER_BYTES) : pooled;
  }

  /** Takes a buffer back. */
  public void release(ByteWriter buffer) {
    if (buffers.size() < KEPT_BUFFERS && buffer.capacity() <= KEPT_BUFFER_BYTES) {
      buffers.addLast(buffer.clear());
    }
  }

  /**
   * Writes one mutation of one partition.
   *
   * @param mutation belongs to the coordinator from now on
   */
  public void write(
      KeyspaceSchema keyspace,
      long token,
      ConsistencyLevel level,
      WriteType type,
      ByteWriter mutation,
      WriteCallback callback) {
    Placement placement = placements.of(keyspace);
    int required = placement.required(level);
    int alive = placement.alive(level, token);
    if (alive < required || !placement.isLocal(token)) {
      release(mutation);
      callback.failed(Failures.unavailable(level, required, alive));
      return;
    }
    WriteOperation operation = new WriteOperation(this, level, type, required, mutation, callback);
    writes.add(operation);
    replicas.write(shard, token, mutation.segment(), mutation.size(), operation);
  }

  /** Writes the partitions of an unlogged batch, each by itself. */
  public void writeAll(List<PartitionWrite> batch, ConsistencyLevel level, WriteCallback callback) {
    writeAll(batch, level, WriteType.UNLOGGED_BATCH, shard.nanos(), callback);
  }

  private void writeAll(
      List<PartitionWrite> batch,
      ConsistencyLevel level,
      WriteType type,
      long startNanos,
      WriteCallback callback) {
    WriteOperation.All all = new WriteOperation.All(this, batch, startNanos, callback);
    for (PartitionWrite write : batch) {
      write(write.keyspace(), write.token(), level, type, write.mutation(), all);
    }
  }

  /**
   * Writes a logged batch: into the batch log first, then its partitions; once all of them are
   * written the batch log forgets it. If the node stops in between, the next start applies the
   * rest.
   */
  public void writeLogged(
      List<PartitionWrite> batch, ConsistencyLevel level, WriteCallback callback) {
    for (PartitionWrite write : batch) {
      Placement placement = placements.of(write.keyspace());
      int required = placement.required(level);
      int alive = placement.alive(level, write.token());
      if (alive < required || !placement.isLocal(write.token())) {
        batch.forEach(each -> release(each.mutation()));
        callback.failed(Failures.unavailable(level, required, alive));
        return;
      }
    }
    long startNanos = shard.nanos();
    long token = batch.getFirst().token();
    byte[] prefix = batchLog.newPrefix(token);
    ByteWriter entry = takeBuffer();
    batchLog.putEntry(token, prefix, batch, entry);
    writeLocal(
        token,
        entry,
        ConsistencyLevel.ONE,
        WriteType.BATCH_LOG,
        new WriteCallback() {
          @Override
          public void written() {
            writeAll(
                batch, level, WriteType.BATCH, startNanos, new Removing(token, prefix, callback));
          }

          @Override
          public void failed(CqlError error) {
            batch.forEach(each -> release(each.mutation()));
            callback.failed(error);
          }
        });
  }

  private void writeLocal(
      long token,
      ByteWriter mutation,
      ConsistencyLevel level,
      WriteType type,
      WriteCallback callback) {
    WriteOperation operation = new WriteOperation(this, level, type, 1, mutation, callback);
    writes.add(operation);
    replicas.write(shard, token, mutation.segment(), mutation.size(), operation);
  }

  /**
   * Lets the batch log forget the batch, then answers the client: a batch that was answered is not
   * applied again at the next start, where it might bring back what has been truncated since.
   */
  private final class Removing implements WriteCallback {
    private final long token;
    private final byte[] prefix;
    private final WriteCallback callback;

    Removing(long token, byte[] prefix, WriteCallback callback) {
      this.token = token;
      this.prefix = prefix;
      this.callback = callback;
    }

    @Override
    public void written() {
      ByteWriter removal = takeBuffer();
      batchLog.putRemoval(token, prefix, removal);
      writeLocal(
          token,
          removal,
          ConsistencyLevel.ONE,
          WriteType.BATCH_LOG,
          new WriteCallback() {
            @Override
            public void written() {
              callback.written();
            }

            @Override
            public void failed(CqlError error) {
              LOG.warn("a batch stays in the batch log until the next start: {}", error.message());
              callback.written();
            }
          });
    }

    @Override
    public void failed(CqlError error) {
      callback.failed(error);
    }
  }

  /**
   * Reads of one partition. The sink is called on the partition's shard, the callback here
   * afterwards. Request and sink may still be in use after a failure or a cancellation: do not
   * reuse them then.
   *
   * @param startNanos when the client's request began; its deadline counts from there
   * @return what cancels the read
   */
  public RunningRead readPartition(
      KeyspaceSchema keyspace,
      long token,
      ConsistencyLevel level,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    Placement placement = placements.of(keyspace);
    int required = placement.required(level);
    int alive = placement.alive(level, token);
    if (alive < required || !placement.isLocal(token)) {
      callback.failed(Failures.unavailable(level, required, alive));
      return RunningRead.ENDED;
    }
    int target = request.tableId() < 0 ? 0 : replicas.shardOf(token);
    return start(
        new ReadOperation(
            this, level, required, target, target, startNanos, request, sink, callback));
  }

  /**
   * Reads the partitions whose tokens lie from the first to the last, both included, in token
   * order. The request holds the exact range of prefixes. As {@link #readPartition} otherwise.
   */
  public RunningRead readRange(
      KeyspaceSchema keyspace,
      long firstToken,
      long lastToken,
      ConsistencyLevel level,
      long startNanos,
      ReadRequest request,
      RowSink sink,
      ReadCallback callback) {
    Placement placement = placements.of(keyspace);
    int required = placement.required(level);
    int alive = placement.alive(level, firstToken);
    if (alive < required || !placement.isLocal(firstToken)) {
      callback.failed(Failures.unavailable(level, required, alive));
      return RunningRead.ENDED;
    }
    boolean virtual = request.tableId() < 0;
    int first = virtual ? 0 : replicas.shardOf(firstToken);
    int last = virtual ? 0 : replicas.shardOf(lastToken);
    return start(
        new ReadOperation(this, level, required, first, last, startNanos, request, sink, callback));
  }

  private RunningRead start(ReadOperation operation) {
    if (readsStopped) {
      operation.stopped();
    } else {
      operation.start();
    }
    return operation;
  }

  /** Cancels the reads in progress and refuses further ones, because the node stops. */
  public void stopReads() {
    readsStopped = true;
    reads.stopAll();
    ranges.stopAll();
  }

  /** Empties a table on all its replicas. */
  public void truncate(TableSchema table, WriteCallback callback) {
    TruncateOperation operation =
        new TruncateOperation(this, truncates, table.storageId(), callback);
    truncates.add(operation);
    replicas.truncate(shard, table.storageId(), operation);
  }
}
