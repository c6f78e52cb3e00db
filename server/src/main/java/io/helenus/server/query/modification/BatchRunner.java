package io.helenus.server.query.modification;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.PartitionWrite;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.coordinator.WriteType;
import io.helenus.server.error.CqlException;
import io.helenus.server.metrics.BatchKind;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.env.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches: {@link MutationDrafts} builds one mutation for each partition from the entries of
 * all statements. A single mutation is written like that of a single statement. Several mutations
 * are written through the batch log or, in an unlogged batch, independently. One per shard; shard
 * thread only.
 */
public final class BatchRunner {
  private static final Runnable NO_CHECK = () -> {};

  private final Coordinator coordinator;
  private final Clock clock;
  private final ServerTimestamps timestamps;
  private final BoundSlots bound;
  private final VoidAnswer.Pool answers;
  private final WriteTimes times = new WriteTimes();
  private final MutationDrafts drafts;
  private final ModificationChecks checks;
  private final WriteGuardrails guardrails;
  private final BatchLimits batchLimits;
  private final MutationLimit limit;
  private final ConditionalRunner conditional;
  private final CounterRunner counters;

  /** Creates the runner of a shard, with those that run batches of other kinds. */
  public BatchRunner(
      ModificationServices services, ConditionalRunner conditional, CounterRunner counters) {
    this.coordinator = services.coordinator();
    this.clock = services.clock();
    this.timestamps = services.timestamps();
    this.bound = services.bound();
    this.checks = services.checks();
    this.guardrails = services.guardrails();
    this.batchLimits = new BatchLimits(services.limits(), services.advisor());
    this.limit = services.mutationLimit();
    this.answers = services.answers();
    this.drafts = new MutationDrafts(services, times);
    this.conditional = conditional;
    this.counters = counters;
  }

  /**
   * Runs a batch that was sent as text; its statements share one list of values.
   *
   * @throws CqlException INVALID if a value is invalid or the batch too large; nothing is written
   */
  public void run(BatchPlan plan, BoundValues values, RunContext context) {
    long requestMicros = timestamps.of(context.parameters());
    List<BatchStatement> statements = new ArrayList<>(plan.statements().size());
    for (ModificationPlan each : plan.statements()) {
      statements.add(new BatchStatement(each, values));
    }
    long micros = requestMicros;
    if (plan.using().timestampSlot() != null && !statements.isEmpty()) {
      try {
        bound.bind(plan.slots(), values);
        micros = plan.using().anyMicros(bound, requestMicros);
      } catch (CqlException e) {
        CqlException mistake = checks.mistakeInKeys(statements);
        throw mistake == null ? e : mistake;
      }
    }
    boolean logged =
        switch (plan.batchKind()) {
          case LOGGED -> true;
          case UNLOGGED, COUNTER -> false;
        };
    run(statements, logged, micros, context);
  }

  /**
   * Runs a batch that was sent as a BATCH message.
   *
   * @throws CqlException INVALID if a value is invalid or the batch too large; nothing is written
   */
  public void run(List<BatchStatement> statements, boolean logged, RunContext context) {
    run(statements, logged, timestamps.of(context.parameters()), context);
  }

  private void run(
      List<BatchStatement> statements, boolean logged, long micros, RunContext context) {
    if (CounterRunner.isCounting(statements)) {
      counters.runBatch(statements, context);
      return;
    }
    if (ConditionalRunner.isConditional(statements)) {
      conditional.runBatch(statements, context);
      return;
    }
    drafts.begin();
    try {
      runPlain(statements, logged, micros, context);
    } finally {
      drafts.end();
    }
  }

  private void runPlain(
      List<BatchStatement> statements, boolean logged, long micros, RunContext context) {
    long now = context.nowSeconds(clock);
    int countedBytes = 0;
    for (BatchStatement statement : statements) {
      try {
        countedBytes += draft(statement, micros, now, context);
      } catch (CqlException e) {
        CqlException refusal =
            e.isGuardrail() ? e : refusal(statements, statement, micros, now, e, context);
        if (refusal != null) {
          throw refusal;
        }
      }
    }
    if (logged) {
      BatchLimits.warnOfZeroGcGrace(statements, context);
    }
    if (drafts.isEmpty()) {
      answers.take(context.exchange(), context.trace()).written();
      return;
    }
    coordinator
        .metrics()
        .batch(
            logged ? BatchKind.LOGGED : BatchKind.UNLOGGED,
            drafts.partitions(),
            coordinator.shard().nanos());
    List<PartitionWrite> writes = drafts.mutations(context.schema());
    Runnable check = NO_CHECK;
    if (writes.size() > 1) {
      int bytes = countedBytes;
      Set<TableSchema> tables = drafts.tables();
      check = () -> batchLimits.check(writes.size(), bytes, logged, tables, context);
      if (!drafts.hasRewrites()) {
        check.run();
      }
    }
    start(writes, now, logged, context, check);
  }

  /** The error to answer a batch with; null if the rejected statement has no effect. */
  private @Nullable CqlException refusal(
      List<BatchStatement> statements,
      BatchStatement rejected,
      long micros,
      long now,
      CqlException rejection,
      RunContext context) {
    CqlException mistake =
        checks.mistake(
            statements,
            micros,
            now,
            (plan, partitions) -> requireListRead(plan, partitions, context));
    return mistake == null
        ? checks.checkInBatch(rejected.plan(), rejected.values(), micros, now).refusal(rejection)
        : mistake;
  }

  /**
   * Runs a single modification that changes lists depending on their present elements.
   *
   * @throws CqlException INVALID if a value or the consistency level is invalid; then nothing is
   *     written and no response is sent
   */
  public void runRewrite(ModificationPlan plan, BoundValues values, RunContext context) {
    if (context.parameters().consistency().isSerial()) {
      throw CqlException.invalid("You must use conditional updates for serializable writes");
    }
    drafts.begin();
    try {
      runOneRewrite(plan, values, context);
    } finally {
      drafts.end();
    }
  }

  private void runOneRewrite(ModificationPlan plan, BoundValues values, RunContext context) {
    long micros = timestamps.of(context.parameters());
    long now = context.nowSeconds(clock);
    try {
      int ignored = draft(new BatchStatement(plan, values), micros, now, context);
      guardrails.checkTimestamp(plan, times.timestampMicros(), clock, context);
    } catch (CqlException e) {
      ModificationChecks.ListReadCheck listRead =
          (of, partitions) -> requireListRead(of, partitions, context);
      CqlException refusal =
          e.isGuardrail() ? e : checks.check(plan, values, micros, now, listRead).refusal(e);
      if (refusal != null) {
        throw refusal;
      }
    }
    if (drafts.isEmpty()) {
      answers.take(context.exchange(), context.trace()).written();
      return;
    }
    start(drafts.mutations(context.schema()), now, false, context, NO_CHECK);
  }

  /** {@code check} follows the computation of lists, whose errors come first. */
  private void start(
      List<PartitionWrite> writes, long now, boolean logged, RunContext context, Runnable check) {
    ConsistencyLevel level = context.parameters().consistency();
    if (drafts.hasRewrites()) {
      requireReadable(level);
    }
    WriteCallback answer = answers.take(context.exchange(), context.trace());
    if (!drafts.hasRewrites()) {
      write(writes, logged, level, answer);
      return;
    }
    Schema schema = context.schema();
    ListRewriteBatch batch =
        new ListRewriteBatch(
            coordinator,
            level,
            writes,
            now,
            answer,
            context.trace(),
            whole -> writeComputed(whole, check, logged, level, schema, answer));
    drafts.addRewritesTo(batch);
    batch.start();
  }

  private static void requireReadable(ConsistencyLevel level) {
    if (level == ConsistencyLevel.ANY) {
      throw CqlException.invalid(
          "Write operation require a read but consistency ANY is not supported on reads");
    }
  }

  private void requireListRead(
      ModificationPlan plan, List<PartitionList.Partition> partitions, RunContext context) {
    ConsistencyLevel level = context.parameters().consistency();
    requireReadable(level);
    for (PartitionList.Partition partition : partitions) {
      coordinator.requireReplicas(plan.keyspace(), partition.token(), level);
    }
  }

  private void writeComputed(
      List<PartitionWrite> writes,
      Runnable check,
      boolean logged,
      ConsistencyLevel level,
      Schema schema,
      WriteCallback answer) {
    if (writes.isEmpty()) {
      answer.written();
      return;
    }
    try {
      check.run();
      writes.forEach(write -> limit.check(write.mutation(), schema));
    } catch (CqlException e) {
      answer.failed(e.error());
      return;
    }
    write(writes, logged, level, answer);
  }

  /** Appends the entries of one statement; returns their size by Cassandra's count. */
  private int draft(BatchStatement statement, long micros, long now, RunContext context) {
    ModificationPlan plan = statement.plan();
    bound.bind(plan.slots(), statement.values());
    times.fill(plan, bound, micros, now);
    checkConstraints(plan);
    guardrails.check(plan, bound, context);
    int[] slots = plan.keySlots().partition();
    if (slots != null && plan.rewrites().isEmpty()) {
      return drafts.add(plan, slots);
    }
    List<PartitionList.Partition> partitions =
        PartitionList.of(plan.partitionKey(), plan.keys(), bound);
    if (partitions.isEmpty()) {
      checks.checkInBatch(plan, statement.values(), micros, now).requireNoMistake();
    }
    int countedBytes = 0;
    for (PartitionList.Partition partition : partitions) {
      countedBytes += drafts.add(plan, partition, now);
    }
    return countedBytes;
  }

  private void checkConstraints(ModificationPlan plan) {
    ConstraintChecks constraints = plan.constraints();
    if (constraints != null) {
      constraints.check(bound);
    }
  }

  private void write(
      List<PartitionWrite> writes, boolean logged, ConsistencyLevel level, WriteCallback answer) {
    if (writes.size() == 1) {
      PartitionWrite only = writes.getFirst();
      coordinator.write(
          only.keyspace(), only.token(), level, WriteType.SIMPLE, only.mutation(), answer);
    } else if (logged) {
      coordinator.writeLogged(writes, level, answer);
    } else {
      coordinator.writeAll(writes, level, answer);
    }
  }
}
