package io.helenus.server.query.select;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.ReadCallback;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.error.CqlError;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Responses;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.IndexPlan;
import io.helenus.server.query.restriction.IndexRange;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.TokenBounds;
import io.helenus.server.query.statement.ReadMeasurement;
import io.helenus.server.query.statement.Reply;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One SELECT in flight: its reads run in sequence, then the response is sent. It reads one
 * partition, several (IN), or a token range; if the last page ended inside a partition, it first
 * reads the rest of that partition. When the client's connection closes, the current read is
 * cancelled and no further read starts. Pooled, but not reused after a failure or a cancellation,
 * because another shard may still be using the request and the sink. Shard thread only.
 */
final class SelectOperation implements ReadCallback {
  private static final int KEPT = 256;

  /** How many reads may complete synchronously before yielding to other work of the shard. */
  private static final int READS_PER_TURN = 16;

  private final Pool pool;
  private final Coordinator coordinator;
  private final RequestLimits limits;
  private final SelectRun run;
  private final SelectArguments arguments = new SelectArguments();
  private final ReadRequest request = new ReadRequest();
  private final Reply reply = new Reply();
  private final ClusteringRanges ranges = ClusteringRanges.ofRead();
  private final PendingReads pending = new PendingReads();
  private final Progress progress;
  private final ByteWriter pagingBytes = new ByteWriter(128);

  private final Runnable continuation = this::continueLater;
  private final Runnable cancellation = this::cancel;

  /** Created with the first execution that uses an index. */
  private @Nullable IndexRange indexTerms;

  private boolean usesIndex;
  private long indexFilesWarned;
  private RunningRead read = RunningRead.ENDED;
  private long token;
  private boolean inLoop;
  private boolean readOver;
  private @Nullable ReadMeasurement measurement;

  private SelectOperation(
      Pool pool,
      Coordinator coordinator,
      RequestLimits limits,
      FunctionContext functions,
      NodeMemory memory,
      SlowQueryLog slowQueries) {
    this.pool = pool;
    this.coordinator = coordinator;
    this.limits = limits;
    // not the shard's own: rows are computed on the shards that own them
    this.run = new SelectRun(new ExpressionEvaluator(functions.another()), memory);
    this.progress = new Progress(slowQueries, coordinator.shard());
  }

  /** The idle operations of a shard. */
  static final class Pool {
    private final ArrayDeque<SelectOperation> free = new ArrayDeque<>();
    private final Coordinator coordinator;
    private final RequestLimits limits;
    private final FunctionContext functions;
    private final NodeMemory memory;
    private final SlowQueryLog slowQueries;

    Pool(
        Coordinator coordinator,
        RequestLimits limits,
        FunctionContext functions,
        NodeMemory memory,
        SlowQueryLog slowQueries) {
      this.coordinator = coordinator;
      this.limits = limits;
      this.functions = functions;
      this.memory = memory;
      this.slowQueries = slowQueries;
    }

    SelectOperation take() {
      SelectOperation operation = free.pollLast();
      return operation == null
          ? new SelectOperation(this, coordinator, limits, functions, memory, slowQueries)
          : operation;
    }

    private void release(SelectOperation operation) {
      operation.run.end();
      if (free.size() < KEPT) {
        free.addLast(operation);
      }
    }
  }

  /**
   * Starts an execution; the caller has set its {@link #arguments} and then starts {@link #rows}.
   */
  void begin(RunContext context, BoundValues values) {
    progress.begin(values, context);
    reply.begin(context.exchange(), context.trace());
    context.exchange().onDisconnect(cancellation);
    measurement = context.measurement();
    pending.clear();
    usesIndex = false;
    inLoop = false;
  }

  /** Reads only what an index finds; the plan of the execution uses one. */
  void lookUp(IndexPlan plan, BoundSlots bound) {
    IndexRange terms = indexTerms;
    if (terms == null) {
      terms = new IndexRange();
      indexTerms = terms;
    }
    terms.set(plan, bound);
    usesIndex = true;
  }

  /** Warns, or fails, if an index is looked up in more files of a shard. */
  void limitIndexFiles(long warnsAbove, long failsAbove) {
    indexFilesWarned = warnsAbove;
    run.limitIndexFiles(failsAbove);
  }

  /** Adds the terms to look up to the request, which has its partitions. */
  void addIndex() {
    IndexRange terms = indexTerms;
    if (usesIndex && terms != null) {
      terms.addTo(request);
    }
  }

  /** The sink of the rows. */
  SelectRun rows() {
    return run;
  }

  /** The row ranges; the caller fills them if the plan restricts clustering columns. */
  ClusteringRanges ranges() {
    return ranges;
  }

  /** The request; the caller fills it on the fast path for one partition or one row. */
  ReadRequest request() {
    return request;
  }

  /** The arguments; the caller sets them before the execution begins. */
  SelectArguments arguments() {
    return arguments;
  }

  private SelectPlan plan() {
    return arguments.plan();
  }

  private boolean restrictsRows() {
    return !plan().where().clustering().isEmpty();
  }

  // ---- starting

  /** Reads one partition using the request filled in by the caller. */
  void readOne(long partitionToken) {
    readPartition(partitionToken);
  }

  private void readPartition(long partitionToken) {
    start(partitionToken);
    read =
        coordinator.readPartition(
            plan().keyspace(),
            token,
            arguments.level(),
            arguments.startNanos(),
            request,
            run,
            this);
  }

  /** Reads several partitions in sequence. */
  void readSeveral(List<PartitionList.Partition> wanted) {
    pending.partitions(wanted, arguments.resumed());
    proceed();
  }

  /** Reads a token range. */
  void scan(TokenBounds bounds) {
    pending.range(bounds, plan().keys().isLocal(), arguments.resumed());
    proceed();
  }

  // ---- running the reads

  /** Starts reads until one does not complete synchronously, the turn is over, or none remains. */
  private void proceed() {
    inLoop = true;
    for (int turn = READS_PER_TURN; turn > 0; turn--) {
      readOver = false;
      if (run.isOver() || !startNext()) {
        inLoop = false;
        answer();
        return;
      }
      if (!readOver) {
        inLoop = false;
        return;
      }
    }
    inLoop = false;
    coordinator.shard().executeLast(continuation);
  }

  private void continueLater() {
    if (!reply.isEnded()) {
      try {
        proceed();
      } catch (Throwable e) {
        coordinator.answerFailed(this::failed, e);
      }
    }
  }

  private void cancel() {
    read.cancel();
    run.abandon();
    progress.end(arguments, "the connection was closed");
    reply.end().respondError(new CqlError.ServerError("The connection was closed"));
  }

  /** Starts the next read; returns false if none remains. The read may have completed on return. */
  private boolean startNext() {
    PartitionList.Partition partition;
    while ((partition = pending.nextPartition()) != null) {
      if (preparePartition(partition)) {
        readPartition(partition.token());
        return true;
      }
    }
    TokenBounds tokens = pending.takeRange();
    if (tokens == null) {
      return false;
    }
    prepare();
    pending.putRange(request);
    addIndex();
    if (restrictsRows()) {
      run.onlyRows(ranges);
    }
    readRange(tokens);
    return true;
  }

  private void start(long first) {
    token = first;
    if (measurement != null) {
      measurement.begin(coordinator.shard().nanos());
    }
    run.restrict(request);
  }

  private void readRange(TokenBounds tokens) {
    start(tokens.first());
    read =
        coordinator.readRange(
            plan().keyspace(),
            tokens.first(),
            tokens.last(),
            arguments.level(),
            arguments.startNanos(),
            request,
            run,
            this);
  }

  private boolean preparePartition(PartitionList.Partition partition) {
    prepare();
    ByteWriter prefix = new ByteWriter(partition.prefix().length).putBytes(partition.prefix());
    request.partition(prefix.segment(), 0, prefix.size());
    addIndex();
    PagingState from = pending.takeResumed();
    if (from == null) {
      return !restrictsRows() || addRanges();
    }
    run.resume(from.givenInPartition());
    if (!restrictsRows()) {
      ranges.buildAll();
    }
    return PendingReads.putRest(from, ranges, plan().ordering().reversed(), request);
  }

  /** Whether no row is in the row ranges of a scan, and it reads no static columns. */
  boolean matchesNothing() {
    return ranges.count() == 0 && plan().readColumns().staticCount() == 0;
  }

  /** Adds the row ranges to the request; returns false if there is nothing to read. */
  boolean addRanges() {
    ranges.addTo(request);
    if (ranges.count() > 0) {
      return true;
    }
    if (!SelectChecks.readsOnlyStaticRow(plan())) {
      return false;
    }
    ByteWriter noRow = new ByteWriter(2).putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
    request.addRow(noRow.segment(), 0, noRow.size());
    return true;
  }

  /** Sets the fields of the request that all reads of the plan share. */
  void prepare() {
    SelectPlan current = plan();
    request
        .reset(current.table().storageId(), arguments.nowSeconds())
        .reversed(current.ordering().reversed())
        .columns(current.readColumns().ids())
        .wantsStatic(
            current.table().hasStaticColumns()
                && (current.readColumns().staticCount() > 0
                    || current.where().returnsStaticContentAlone()))
        .tombstoneLimit(current.keys().isLocal() ? ReadLimits.NONE : limits.tombstonesFailCount());
  }

  @Override
  public void askedOther() {
    if (measurement != null) {
      measurement.askedOther();
    }
  }

  @Override
  public void done(boolean stopped, int rows, int tombstones) {
    progress.read(rows, tombstones);
    if (measurement != null) {
      measurement.read(rows, tombstones, coordinator.shard().nanos());
    }
    if (tombstones > limits.tombstonesWarnCount() && !plan().keys().isLocal()) {
      tooManyTombstones(rows, tombstones);
    }
    if (!run.isOver()) {
      run.endRead();
      if (stopped && !run.isOver()) {
        // the limits of the request are those that the sink counts
        throw new IllegalStateException("a read stopped before it had all rows");
      }
    }
    if (inLoop) {
      readOver = true;
    } else {
      proceed();
    }
  }

  @Override
  public @Nullable RequestTrace trace() {
    return reply.trace();
  }

  @Override
  public void failed(CqlError error) {
    // Not released to the pool: another shard may still be using the request and the sink.
    run.abandon();
    progress.end(arguments, error.message());
    reply.end().respondError(error);
  }

  @Override
  public void released() {
    run.end();
  }

  @Override
  public void tooManyTombstones(int rows, int tombstones) {
    SelectWarnings.tombstones(
        reply,
        arguments.statement(),
        rows,
        tombstones,
        plan().where().isKeyRange() ? run.lastToken(token) : token);
  }

  // ---- the response

  private void answer() {
    run.finish(arguments.limit());
    CqlError failure = run.failure();
    progress.end(arguments, failure == null ? "" : failure.message());
    if (failure != null) {
      Exchange refused = reply.end();
      pool.release(this);
      refused.respondError(failure);
      return;
    }
    if (usesIndex && run.indexFiles() > indexFilesWarned) {
      SelectWarnings.indexFiles(reply, arguments.statement(), run.indexFiles());
    }
    ReadMeasurement measured = measurement;
    if (measured != null) {
      answerMeasured(measured);
      return;
    }
    Exchange answered = reply.endTrace();
    pagingBytes.clear();
    if (run.isPageFull() && hasMore()) {
      run.position().write(plan().table().storageId(), pagingBytes);
    }
    ByteWriter out = answered.body();
    Responses.rowsHeader(
        out,
        answered.protocolVersion(),
        plan().selection().columns(),
        arguments.skipMetadata(),
        pagingBytes.segment(),
        0,
        pagingBytes.size() == 0 ? -1 : pagingBytes.size(),
        arguments.newMetadataId());
    out.putInt(run.rowCount());
    if (run.isLarge()) {
      ByteChunks rows = run.takeRows();
      Exchange ended = reply.end();
      pool.release(this);
      ended.respond(Opcodes.RESULT, out, rows);
      return;
    }
    run.putRows(out);
    Exchange ended = reply.end();
    pool.release(this);
    ended.respond(Opcodes.RESULT, out);
  }

  private void answerMeasured(ReadMeasurement measured) {
    run.report(measured);
    measured.end(run.rowCount(), coordinator.shard().nanos() - arguments.startNanos());
    Exchange ended = reply.end();
    pool.release(this);
    measured.answer(ended);
  }

  /** Whether more rows may follow a full page, by Cassandra's rules. */
  private boolean hasMore() {
    if (plan().where().isKeyRange()) {
      return true;
    }
    return pending.hasPartitions() || !run.isPartitionExhausted();
  }
}
