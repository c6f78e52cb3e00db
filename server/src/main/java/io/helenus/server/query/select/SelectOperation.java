package io.helenus.server.query.select;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.ReadCallback;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.Responses;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.TokenBounds;
import io.helenus.server.query.statement.Guardrails;
import io.helenus.server.query.statement.Reply;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One SELECT under way: its reads one after the other, then the answer. A read of one partition, of
 * several (IN), or of a range of tokens; where a page ended inside a partition, first the rest of
 * that one. When the client's connection closes, the current read is cancelled and no other begins.
 * Pooled, but not reused after a failure or a cancellation: another shard may still hold the
 * request and the sink. Shard thread only.
 */
final class SelectOperation implements ReadCallback {
  private static final int KEPT = 256;
  private static final int SHOWN_CHARS = 1000;

  /** How many reads may end at once before other work of the shard gets its turn. */
  private static final int READS_PER_TURN = 16;

  private final Pool pool;
  private final Coordinator coordinator;
  private final Guardrails guardrails;
  private final SelectRun run;
  private final ReadRequest request = new ReadRequest();
  private final Reply reply = new Reply();
  private final ClusteringRanges ranges = new ClusteringRanges();
  private final ByteWriter keyBytes = new ByteWriter(128);
  private final ByteWriter upperBytes = new ByteWriter(16);
  private final ByteWriter pagingBytes = new ByteWriter(128);

  private final Runnable continuation = this::continueLater;
  private final Runnable cancellation = this::cancel;

  private @Nullable SelectPlan plan;
  private RunningRead read = RunningRead.ENDED;
  private long startNanos;
  private String statement = "";
  private long token;
  private ConsistencyLevel level = ConsistencyLevel.ONE;
  private boolean skipMetadata;
  private byte @Nullable [] newMetadataId;
  private long nowSeconds;
  private int limit;
  private boolean restricted;

  private List<PartitionList.Partition> partitions = List.of();
  private int nextPartition;
  private TokenBounds tokens = TokenBounds.ALL;
  private boolean scanPending;
  private @Nullable PagingState resumed;
  private boolean inLoop;
  private boolean readOver;

  private SelectOperation(
      Pool pool, Coordinator coordinator, Guardrails guardrails, ExpressionEvaluator evaluator) {
    this.pool = pool;
    this.coordinator = coordinator;
    this.guardrails = guardrails;
    this.run = new SelectRun(evaluator);
  }

  /** The operations of a shard that are not under way. */
  static final class Pool {
    private final ArrayDeque<SelectOperation> free = new ArrayDeque<>();
    private final Coordinator coordinator;
    private final Guardrails guardrails;
    private final ExpressionEvaluator evaluator;

    Pool(Coordinator coordinator, Guardrails guardrails, ExpressionEvaluator evaluator) {
      this.coordinator = coordinator;
      this.guardrails = guardrails;
      this.evaluator = evaluator;
    }

    SelectOperation take() {
      SelectOperation operation = free.pollLast();
      return operation == null
          ? new SelectOperation(this, coordinator, guardrails, evaluator)
          : operation;
    }

    private void release(SelectOperation operation) {
      if (free.size() < KEPT) {
        free.addLast(operation);
      }
    }
  }

  /** Takes what the request says. */
  void begin(SelectPlan newPlan, RunContext context, long now, int rowLimit) {
    QueryParameters parameters = context.parameters();
    plan = newPlan;
    reply.begin(context.exchange(), context.trace());
    context.exchange().onDisconnect(cancellation);
    startNanos = coordinator.shard().nanos();
    statement = context.statement();
    level = parameters.consistency();
    skipMetadata = parameters.skipMetadata();
    newMetadataId = context.newMetadataId();
    nowSeconds = now;
    limit = rowLimit;
    partitions = List.of();
    nextPartition = 0;
    scanPending = false;
    resumed = null;
    inLoop = false;
    restricted = !newPlan.where().clustering().isEmpty();
  }

  /** What takes the rows. */
  SelectRun rows() {
    return run;
  }

  /** The ranges of rows, to be filled where the plan restricts clustering columns. */
  ClusteringRanges ranges() {
    return ranges;
  }

  /** The request, to be filled by the short way of one partition or one row. */
  ReadRequest request() {
    return request;
  }

  private SelectPlan plan() {
    if (plan == null) {
      throw new IllegalStateException("not under way");
    }
    return plan;
  }

  // ---- how it starts

  /** Reads one partition by the request as it was filled. */
  void readOne(long partitionToken) {
    token = partitionToken;
    read =
        coordinator.readPartition(plan().keyspace(), token, level, startNanos, request, run, this);
  }

  /** Reads several partitions one after the other. */
  void readSeveral(List<PartitionList.Partition> wanted, @Nullable PagingState from) {
    partitions = wanted;
    if (from != null) {
      nextPartition = after(wanted, from);
      resumed = from.clustering() == null ? null : from;
    }
    proceed();
  }

  private static int after(List<PartitionList.Partition> wanted, PagingState from) {
    for (int i = 0; i < wanted.size(); i++) {
      if (java.util.Arrays.equals(wanted.get(i).prefix(), from.prefix())) {
        return from.clustering() == null ? i + 1 : i;
      }
    }
    throw PagingState.invalid();
  }

  /** Reads a range of tokens. */
  void scan(TokenBounds bounds, @Nullable PagingState from) {
    tokens = bounds;
    scanPending = !bounds.isEmpty();
    keyBytes.clear();
    upperBytes.clear();
    boolean local = plan().keys().isLocal();
    if (!local && bounds.last() != Long.MAX_VALUE) {
      KeyFormat.putToken(bounds.last() + 1, upperBytes);
    }
    if (from != null) {
      resumeScan(from, local);
    } else if (!local && bounds.first() != Long.MIN_VALUE) {
      KeyFormat.putToken(bounds.first(), keyBytes);
    }
    proceed();
  }

  private void resumeScan(PagingState from, boolean local) {
    keyBytes.putBytes(from.prefix());
    long token = 0;
    if (!local) {
      if (from.prefix().length <= KeyFormat.TOKEN_BYTES) {
        throw PagingState.invalid();
      }
      token = KeyFormat.token(keyBytes.segment(), 0);
      if (!tokens.contains(token)) {
        throw PagingState.invalid();
      }
      tokens = new TokenBounds(token, tokens.last());
    }
    // Greater than every key of the partition, smaller than those of the next one.
    keyBytes.putByte(0xFF);
    if (from.clustering() != null) {
      partitions = List.of(new PartitionList.Partition(token, from.prefix()));
      resumed = from;
    }
  }

  // ---- one read after the other

  /** Starts reads until one does not end at once, the turn is over, or none is left. */
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
    coordinator.shard().executeAfterPoll(continuation);
  }

  private void continueLater() {
    if (!reply.isEnded()) {
      proceed();
    }
  }

  private void cancel() {
    read.cancel();
    reply.end().respondError(new CqlError.ServerError("The connection was closed"));
  }

  /** Starts the next read; false when there is none. A read may be over when this returns. */
  private boolean startNext() {
    while (nextPartition < partitions.size()) {
      PartitionList.Partition partition = partitions.get(nextPartition++);
      if (preparePartition(partition)) {
        token = partition.token();
        read =
            coordinator.readPartition(
                plan().keyspace(), token, level, startNanos, request, run, this);
        return true;
      }
    }
    if (!scanPending) {
      return false;
    }
    scanPending = false;
    prepare();
    request.partitions(
        keyBytes.segment(), 0, keyBytes.size(), upperBytes.segment(), 0, upperBytes.size());
    if (restricted) {
      run.onlyRows(ranges);
    }
    token = tokens.first();
    read =
        coordinator.readRange(
            plan().keyspace(),
            tokens.first(),
            tokens.last(),
            level,
            startNanos,
            request,
            run,
            this);
    return true;
  }

  private boolean preparePartition(PartitionList.Partition partition) {
    prepare();
    ByteWriter prefix = new ByteWriter(partition.prefix().length).putBytes(partition.prefix());
    request.partition(prefix.segment(), 0, prefix.size());
    PagingState from = resumed;
    resumed = null;
    if (from == null) {
      if (restricted) {
        ranges.addTo(request);
      }
      return !restricted || ranges.count() > 0;
    }
    run.resume(from.givenInPartition());
    if (!restricted) {
      ranges.buildAll();
    }
    return ranges.addRest(request, position(from), plan().reversed());
  }

  /** The bound right after the last row; right before it where rows come in reverse. */
  private byte[] position(PagingState from) {
    byte[] clustering = from.clustering();
    if (clustering == null) {
      throw new IllegalStateException("nothing is left of the partition");
    }
    byte[] position = new byte[clustering.length + 1];
    position[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(clustering, 0, position, 1, clustering.length);
    position[position.length - 1] =
        (byte) (plan().reversed() ? KeyFormat.TAG_BOUND_BEFORE : KeyFormat.TAG_BOUND_AFTER);
    return position;
  }

  /** Fills the request with what all reads of the plan share. */
  void prepare() {
    SelectPlan current = plan();
    request
        .reset(current.table().storageId(), nowSeconds)
        .reversed(current.reversed())
        .columns(current.readColumns().ids())
        .wantsStatic(
            current.table().hasStaticColumns()
                && (current.readColumns().staticCount() > 0
                    || current.where().returnsStaticContentAlone()))
        .tombstoneLimit(
            current.keys().isLocal() ? Integer.MAX_VALUE : guardrails.tombstonesFailCount());
  }

  @Override
  public void done(boolean stopped, int rows, int tombstones) {
    if (tombstones > guardrails.tombstonesWarnCount() && !plan().keys().isLocal()) {
      tooManyTombstones(rows, tombstones);
    }
    if (!stopped) {
      run.endRead();
    }
    if (inLoop) {
      readOver = true;
    } else {
      proceed();
    }
  }

  @Override
  public void failed(CqlError error) {
    // Not released: another shard may still hold the request and the sink.
    reply.end().respondError(error);
  }

  @Override
  public void tooManyTombstones(int rows, int tombstones) {
    reply.warn(
        "Read "
            + rows
            + " live rows and "
            + tombstones
            + " tombstone cells for query "
            + (statement.length() <= SHOWN_CHARS
                ? statement
                : statement.substring(0, SHOWN_CHARS) + "...")
            + "; token "
            + (plan().where().isKeyRange() ? run.lastToken(token) : token)
            + " (see tombstone_warn_threshold)");
  }

  // ---- the answer

  private void answer() {
    run.finish();
    Exchange answered = reply.end();
    CqlError failure = run.failure();
    if (failure != null) {
      pool.release(this);
      answered.respondError(failure);
      return;
    }
    run.sort(limit);
    pagingBytes.clear();
    if (run.isPageFull() && hasMore()) {
      run.position().write(plan().table().storageId(), pagingBytes);
    }
    ByteWriter out = answered.body();
    Responses.rowsHeader(
        out,
        answered.protocolVersion(),
        plan().selection().columns(),
        skipMetadata,
        pagingBytes.segment(),
        0,
        pagingBytes.size() == 0 ? -1 : pagingBytes.size(),
        newMetadataId);
    out.putInt(run.rowCount());
    run.putRows(out);
    pool.release(this);
    answered.respond(Opcodes.RESULT, out);
  }

  /** Whether anything can be left after a full page, as Cassandra judges it. */
  private boolean hasMore() {
    if (plan().where().isKeyRange()) {
      return true;
    }
    return nextPartition < partitions.size() || !run.isPartitionExhausted();
  }
}
