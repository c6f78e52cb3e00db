package io.helenus.server.query.select;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.query.restriction.IndexPlan;
import io.helenus.server.query.restriction.KeyWriter;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.TokenBounds;
import io.helenus.server.query.selection.Selection;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.Verdict;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.NodeMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes SELECT: from bound values to key ranges, reads and rows. One per shard. */
public final class SelectRunner {
  private static final int NO_LIMIT = Limits.NO_LIMIT;
  private static final int KEPT_BYTES = 64 << 10;
  private static final byte[][] NO_MARKERS = {};

  private final Shard shard;
  private final Clock clock;
  private final BoundSlots bound;
  private final SelectOperation.Pool operations;
  private final SelectChecks checks;
  private final @Nullable ReadGuardrails guardrails;
  private final IndexUse indexes;
  private final long maxPageBytes;
  private final KeyWriter keys = new KeyWriter();
  private final ByteWriter key = new ByteWriter(256);

  public SelectRunner(
      Coordinator coordinator,
      Clock clock,
      BoundSlots bound,
      SelectChecks checks,
      RequestLimits limits,
      Guardrails guardrails,
      FunctionContext functions,
      NodeMemory memory,
      SlowQueryLog slowQueries,
      IndexStatus indexes) {
    this.guardrails = ReadGuardrails.of(guardrails);
    this.indexes = new IndexUse(guardrails, indexes);
    this.maxPageBytes = limits.maxPageBytes();
    this.shard = coordinator.shard();
    this.clock = clock;
    this.bound = bound;
    this.checks = checks;
    this.operations = new SelectOperation.Pool(coordinator, limits, functions, memory, slowQueries);
  }

  public void run(SelectPlan plan, BoundValues values, RunContext context) {
    QueryParameters parameters = context.parameters();
    if (parameters.consistency() == ConsistencyLevel.ANY) {
      throw CqlException.invalid("ANY ConsistencyLevel is only supported for writes");
    }
    if (guardrails != null) {
      guardrails.checkLevel(context);
    }
    CqlException refusal;
    try {
      refusal = run(plan, values, context, parameters);
    } catch (CqlException e) {
      CqlException ofRequest = ordersPages(plan, parameters) ? SelectChecks.cannotPage() : null;
      refuse(plan, values, e, ofRequest, context);
      return;
    }
    if (refusal != null) {
      refuse(plan, values, refusal, refusal, context);
    }
  }

  /**
   * Answers a rejected SELECT: with the error that Cassandra reports, or without rows if it finds
   * first that none can match.
   *
   * @param rejection what the SELECT was rejected with
   * @param ofRequest the error if any partition is read, whatever the values; null if there is none
   */
  private void refuse(
      SelectPlan plan,
      BoundValues values,
      CqlException rejection,
      @Nullable CqlException ofRequest,
      RunContext context) {
    QueryParameters parameters = context.parameters();
    boolean ordersPages = ordersPages(plan, parameters);
    Verdict verdict = checks.check(plan, values, ofRequest, parameters.consistency());
    verdict.requireNoMistake();
    if (!verdict.hasNoEffect() || rejection.isGuardrail()) {
      if (ordersPages) {
        warn(plan, context);
      }
      throw rejection;
    }
    if (ordersPages && plan.isAggregate()) {
      warn(plan, context);
      throw SelectChecks.cannotPage();
    }
    answerNothing(plan, values, context);
  }

  private void answerNothing(SelectPlan plan, BoundValues values, RunContext context) {
    warn(plan, context);
    SelectOperation operation = operations.take();
    operation.arguments().set(plan, context, shard.nanos(), clock);
    begin(operation, values, context).readSeveral(List.of());
  }

  private SelectOperation begin(SelectOperation operation, BoundValues values, RunContext context) {
    SelectArguments arguments = operation.arguments();
    operation.begin(context, values);
    operation.rows().begin(arguments, bound, markers(arguments.plan(), values));
    return operation;
  }

  private static void warn(SelectPlan plan, RunContext context) {
    if (plan.warning() != null) {
      context.exchange().warn(plan.warning());
    }
  }

  /**
   * Runs a SELECT. Returns the error of a request that is refused whatever its values; null if it
   * runs.
   *
   * @throws CqlException if a value is refused
   */
  private @Nullable CqlException run(
      SelectPlan plan, BoundValues values, RunContext context, QueryParameters parameters) {
    bound.bind(plan.slots(), values);
    int limit = plan.limits().rows(bound);
    int perPartitionLimit = plan.limits().perPartition(bound);
    if (guardrails != null) {
      guardrails.check(plan, bound, limit, context);
    }
    int pageSize = parameters.pageSize();
    if (ordersPages(plan, parameters)) {
      return SelectChecks.cannotPage();
    }
    if (plan.ordering().nearest() != null) {
      return runNearest(plan, plan.ordering().nearest(), limit, values, context);
    }
    requireSet(plan.selection(), values);
    checks.computeConstants(plan, values);
    PagingState state = pagingState(plan, parameters);
    boolean paged =
        pageSize > 0
            && !plan.isSingleGroup()
            && (plan.isAggregate() || limit > pageSize || state != null);
    SelectOperation operation = operations.take();
    operation
        .arguments()
        .set(plan, context, shard.nanos(), clock)
        .limits(limit, perPartitionLimit)
        .page(paged ? pageSize : NO_LIMIT, state)
        .maxPageBytes(hasPages(plan, pageSize) ? maxPageBytes : SelectArguments.NO_PAGES);
    begin(operation, values, context);
    IndexPlan index = plan.where().index();
    return index == null ? start(operation, context) : startIndexed(operation, index, context);
  }

  /** Runs a SELECT of the nearest rows, which have no pages. */
  private @Nullable CqlException runNearest(
      SelectPlan plan, NearestOrder order, int limit, BoundValues values, RunContext context) {
    requireSet(plan.selection(), values);
    checks.computeConstants(plan, values);
    ConsistencyLevel level = NearestRules.admit(plan, limit, context);
    SelectOperation operation = operations.take();
    operation
        .arguments()
        .set(plan, context, shard.nanos(), clock)
        .level(level)
        .limits(limit, NO_LIMIT);
    begin(operation, values, context);
    NearestRules.check(order, limit, bound);
    return startIndexed(operation, IndexUse.of(plan), context);
  }

  private @Nullable CqlException startIndexed(
      SelectOperation operation, IndexPlan use, RunContext context) {
    SelectPlan plan = operation.arguments().plan();
    indexes.check(plan, context);
    operation.lookUp(use, bound);
    CqlError unavailable = indexes.unavailable(plan, use, context);
    if (unavailable != null) {
      operation.failed(unavailable);
      return null;
    }
    indexes.limitFiles(plan, use, operation);
    IndexUse.trace(plan, use, context);
    return start(operation, context);
  }

  /** Whether a page may end early, also if the LIMIT does not exceed the page size. */
  private static boolean hasPages(SelectPlan plan, int pageSize) {
    return pageSize > 0 && !plan.isSingleGroup() && plan.rowSlots() == null;
  }

  /** Rejects unset values of markers in the selection that must be set. */
  private static void requireSet(Selection selection, BoundValues values) {
    for (Expression.Marker marker : selection.markers()) {
      String unsetError = marker.unsetError();
      if (unsetError != null && values.length(marker.index()) == BoundValues.UNSET) {
        throw CqlException.invalid(unsetError);
      }
    }
  }

  private static boolean ordersPages(SelectPlan plan, QueryParameters parameters) {
    return plan.ordersPartitions() && parameters.pageSize() > 0;
  }

  private @Nullable CqlException start(SelectOperation operation, RunContext context) {
    SelectArguments arguments = operation.arguments();
    SelectPlan plan = arguments.plan();
    int[] slots = plan.keySlots().partition();
    if (slots != null && arguments.resumed() == null && plan.where().token() == null) {
      readOne(plan, slots, operation, context);
      return null;
    }
    if (!plan.where().clustering().isEmpty()) {
      operation.ranges().build(plan.where().clustering(), plan.keys(), bound);
    }
    if (plan.where().isKeyRange()) {
      TokenBounds tokens = TokenBounds.of(plan.where().token(), bound);
      warn(plan, context);
      if (!plan.where().clustering().isEmpty() && operation.matchesNothing()) {
        operation.readSeveral(List.of());
      } else {
        operation.scan(tokens);
      }
      return null;
    }
    List<PartitionList.Partition> partitions =
        PartitionList.of(plan.where().partitionKey(), plan.keys(), plan.where().token(), bound);
    if (arguments.pageSize() == NO_LIMIT
        && !plan.isAggregate()
        && partitions.size() > 1
        && context.parameters().consistency().isSerial()) {
      return CqlException.invalid(
          "SERIAL/LOCAL_SERIAL consistency may only be requested for one partition at a time");
    }
    warn(plan, context);
    operation.readSeveral(partitions);
    return null;
  }

  /** The fast path: a whole partition, one row, or ranges of rows of one partition. */
  private void readOne(
      SelectPlan plan, int[] slots, SelectOperation operation, RunContext context) {
    key.clear(KEPT_BYTES);
    long token = keys.putPrefix(plan.keys(), bound, slots, key);
    operation.prepare();
    operation.request().partition(key.segment(), 0, key.size());
    operation.addIndex();
    int[] rowSlots = plan.rowSlots();
    if (rowSlots != null) {
      key.clear();
      KeyWriter.putRowSuffix(plan.keys(), bound, rowSlots, key);
      operation.request().addRow(key.segment(), 0, key.size());
    } else if (!plan.where().clustering().isEmpty()) {
      operation.ranges().build(plan.where().clustering(), plan.keys(), bound);
      if (!operation.addRanges()) {
        warn(plan, context);
        operation.readSeveral(List.of());
        return;
      }
    }
    warn(plan, context);
    operation.readOne(token);
  }

  private static @Nullable PagingState pagingState(SelectPlan plan, QueryParameters parameters) {
    if (parameters.pagingStateLength() <= 0 || plan.isSingleGroup()) {
      return null;
    }
    return PagingState.read(
        parameters.values().segment(),
        parameters.pagingStateOffset(),
        parameters.pagingStateLength(),
        plan.table().storageId());
  }

  private static byte[] @Nullable [] markers(SelectPlan plan, BoundValues values) {
    if (!plan.selection().isComputed() || values.count() == 0) {
      return NO_MARKERS;
    }
    byte[][] markers = new byte[values.count()][];
    for (int i = 0; i < markers.length; i++) {
      markers[i] =
          values.length(i) < 0
              ? null
              : Bytes.toArray(values.segment(), values.offset(i), values.length(i));
    }
    for (Expression.Marker marker : plan.selection().markers()) {
      markers[marker.index()] = ExpressionEvaluator.bound(marker, values);
    }
    return markers;
  }
}
