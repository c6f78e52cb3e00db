package io.helenus.server.query;

import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.Session;
import io.helenus.server.query.modification.BatchPlan;
import io.helenus.server.query.modification.BatchPlanner;
import io.helenus.server.query.modification.BatchRunner;
import io.helenus.server.query.modification.BatchStatement;
import io.helenus.server.query.modification.ConditionalRunner;
import io.helenus.server.query.modification.CounterRunner;
import io.helenus.server.query.modification.ModificationChecks;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.modification.ModificationRunner;
import io.helenus.server.query.modification.ModificationServices;
import io.helenus.server.query.modification.MutationLimit;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.server.query.modification.TruncatePlan;
import io.helenus.server.query.modification.VoidAnswer;
import io.helenus.server.query.modification.WriteGuardrails;
import io.helenus.server.query.select.IndexStatus;
import io.helenus.server.query.select.SelectChecks;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.select.SelectRunner;
import io.helenus.server.query.select.SlowQueryLog;
import io.helenus.server.query.statement.AutoSnapshots;
import io.helenus.server.query.statement.DefinitionLog;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the plans that read and write rows. The values must match the plan's markers in number and
 * order. Responds through the exchange of the context, or throws {@link CqlException}. One per
 * shard, on its thread.
 */
public final class PlanRunner {
  private final Coordinator coordinator;
  private final VoidAnswer.Pool answers;
  private final ModificationRunner modifications;
  private final ConditionalRunner conditional;
  private final CounterRunner counters;
  private final BatchRunner batches;
  private final SelectRunner selects;
  private final WriteGuardrails guardrails;
  private final AutoSnapshots snapshots;

  /** Creates the runner of a shard; takes large rows and results from the memory of its node. */
  public PlanRunner(
      Coordinator coordinator,
      Clock clock,
      FunctionContext functions,
      ServerTimestamps timestamps,
      RequestLimits limits,
      Guardrails guardrails,
      NodeMemory memory,
      SlowQueryLog slowQueries,
      IndexStatus indexes,
      AutoSnapshots snapshots,
      StatementAdvisor advisor) {
    this.guardrails = new WriteGuardrails(guardrails);
    this.coordinator = coordinator;
    this.snapshots = snapshots;
    ExpressionEvaluator evaluator = new ExpressionEvaluator(functions);
    BoundSlots bound = new BoundSlots(evaluator);
    ModificationServices services =
        new ModificationServices(
            coordinator,
            clock,
            timestamps,
            bound,
            new TimeUuidPaths(functions),
            new ModificationChecks(evaluator),
            this.guardrails,
            limits,
            advisor,
            new MutationLimit(limits.maxMutationBytes()),
            new VoidAnswer.Pool(),
            memory.segments(Use.BUFFERS));
    answers = services.answers();
    modifications = new ModificationRunner(services);
    conditional = new ConditionalRunner(services);
    counters = new CounterRunner(services);
    batches = new BatchRunner(services, conditional, counters);
    selects =
        new SelectRunner(
            coordinator,
            clock,
            bound,
            new SelectChecks(evaluator),
            limits,
            guardrails,
            functions,
            memory,
            slowQueries,
            indexes);
  }

  /** Addresses list elements by the shard's time uuids. */
  private record TimeUuidPaths(FunctionContext functions) implements CollectionElements.ListPaths {
    @Override
    public void putNext(ByteWriter out) {
      functions.putTimeUuid(out);
    }

    @Override
    public long reservePreceding(int count) {
      return functions.reservePrecedingTimes(count);
    }

    @Override
    public void putPreceding(long time, ByteWriter out) {
      functions.putTimeUuid(time, out);
    }
  }

  /** Runs INSERT, UPDATE, DELETE. */
  public void run(ModificationPlan plan, BoundValues values, RunContext context) {
    guardrails.checkLevels(context);
    if (plan.table().isCounter()) {
      counters.run(plan, values, context);
    } else if (plan.condition() != null) {
      conditional.run(plan, values, context);
    } else if (plan.rewritesLists()) {
      batches.runRewrite(plan, values, context);
    } else {
      modifications.run(plan, values, context);
    }
  }

  /** The runner for INSERT, UPDATE and DELETE. */
  public ModificationRunner modifications() {
    return modifications;
  }

  /** Runs SELECT. */
  public void run(SelectPlan plan, BoundValues values, RunContext context) {
    selects.run(plan, values, context);
  }

  /** Runs BEGIN BATCH … APPLY BATCH. */
  public void run(BatchPlan plan, BoundValues values, RunContext context) {
    guardrails.checkLevels(context);
    batches.run(plan, values, context);
  }

  /** Runs the statements of a BATCH message, each with its values. */
  public void runBatch(
      List<? extends StatementPlan> plans,
      List<BoundValues> values,
      Request.Batch.Kind kind,
      RunContext context) {
    List<BatchStatement> statements = new ArrayList<>(plans.size());
    for (int i = 0; i < plans.size(); i++) {
      if (!(plans.get(i) instanceof ModificationPlan plan)) {
        throw CqlException.invalid(
            "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
      }
      statements.add(new BatchStatement(plan, values.get(i)));
    }
    BatchPlanner.requireCounters(
        kind == Request.Batch.Kind.LOGGED,
        kind == Request.Batch.Kind.COUNTER,
        statements.stream().map(BatchStatement::plan).toList());
    guardrails.checkLevels(context);
    batches.run(statements, kind == Request.Batch.Kind.LOGGED, context);
  }

  /** Runs TRUNCATE. */
  public void run(TruncatePlan plan, Session session, RunContext context) {
    SchemaNames.requireNoTruncatedView(plan.table());
    WriteCallback answer = answers.take(context.exchange(), context.trace());
    TruncateAnswer logged = new TruncateAnswer(plan.table(), session, answer);
    snapshots.take(
        AutoSnapshots.Reason.TRUNCATED,
        context.schema(),
        truncated(plan.table(), context.schema()),
        coordinator.shard(),
        failure -> {
          if (failure == null) {
            truncate(plan.table(), context.schema(), logged);
          } else {
            logged.failed(
                new CqlError.TruncateError("Error during truncate: " + failure.getMessage()));
          }
        });
  }

  private void truncate(TableSchema table, Schema schema, WriteCallback answer) {
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    if (keyspace == null) {
      answer.failed(new CqlError.TruncateError("Error during truncate: the keyspace is gone"));
    } else {
      coordinator.truncate(keyspace.properties(), table, answer);
    }
  }

  /** The table and its views, which are truncated with it. */
  private static List<TableSchema> truncated(TableSchema table, Schema schema) {
    List<TableSchema> all = new ArrayList<>();
    all.add(table);
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    if (keyspace != null) {
      all.addAll(keyspace.viewsOf(table));
    }
    return all;
  }

  /** Answers TRUNCATE, and logs it. */
  private record TruncateAnswer(TableSchema table, Session session, WriteCallback answer)
      implements WriteCallback {
    @Override
    public void written() {
      DefinitionLog.done("TRUNCATE", "TRUNCATED TABLE " + table.cqlName(), session);
      answer.written();
    }

    @Override
    public void failed(CqlError error) {
      answer.failed(error);
    }
  }
}
