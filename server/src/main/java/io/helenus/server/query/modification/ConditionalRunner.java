package io.helenus.server.query.modification;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.condition.ConditionPlan;
import io.helenus.server.query.condition.ConditionTest;
import io.helenus.server.query.condition.ConditionalRead;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs conditional statements and batches: encodes their mutation with placeholder timestamps, and
 * passes it with the conditions to the coordinator. One per shard; shard thread only.
 */
public final class ConditionalRunner {
  private static final int KEPT_BYTES = 64 << 10;

  private final Coordinator coordinator;
  private final Clock clock;
  private final BoundSlots bound;
  private final WriteTimes times = new WriteTimes();
  private final CollectionElements.ListPaths listPaths;
  private final EntryWriter entries;
  private final ConditionalChecks checks;
  private final WriteGuardrails guardrails;
  private final RequestLimits limits;
  private final MutationLimit limit;
  private final LargeSegments segments;
  private final ClusteringRanges ranges = new ClusteringRanges();
  private final ByteWriter prefix = new ByteWriter(256);
  private final ByteWriter bytes;
  private final MutationWriter mutation;

  /** Creates the runner of a shard. */
  public ConditionalRunner(ModificationServices services) {
    this.coordinator = services.coordinator();
    this.bytes = ByteWriter.recycling(services.segments(), 1024);
    this.mutation = new MutationWriter(bytes);
    this.clock = services.clock();
    this.bound = services.bound();
    this.checks = new ConditionalChecks(services.checks());
    this.guardrails = services.guardrails();
    this.limits = services.limits();
    this.limit = services.mutationLimit();
    this.segments = services.segments();
    this.listPaths = services.listPaths();
    this.entries = new EntryWriter(times, listPaths, false);
  }

  /** Whether any statement of a batch has conditions. */
  static boolean isConditional(List<BatchStatement> statements) {
    for (BatchStatement statement : statements) {
      if (statement.plan().condition() != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs a statement with conditions and responds to its exchange.
   *
   * @throws CqlException INVALID if a value of the key or the conditions, or a consistency level,
   *     is invalid; then nothing is written and no response is sent
   */
  public void run(ModificationPlan plan, BoundValues values, RunContext context) {
    ConditionPlan condition = plan.condition();
    if (condition == null) {
      throw new IllegalArgumentException("not a conditional statement");
    }
    ConditionalRead.Builder read =
        new ConditionalRead.Builder(plan.table(), false)
            .add(condition)
            .writes(plan.writesRows(), plan.writesStatics());
    addChanged(plan, read);
    run(read.build(plan.keys()), List.of(new BatchStatement(plan, values)), false, context);
  }

  /** Adds the columns that a statement changes depending on their present values. */
  private static void addChanged(ModificationPlan plan, ConditionalRead.Builder read) {
    for (ColumnSchema column : plan.table().columns()) {
      if (plan.rewrites().regular().stream().anyMatch(each -> each.column() == column.id())
          || plan.rewrites().statics().stream().anyMatch(each -> each.column() == column.id())
          || plan.sums().isOf(column.id())) {
        read.alsoRead(column);
      }
    }
  }

  /** Runs a batch in which at least one statement has conditions. */
  void runBatch(List<BatchStatement> statements, RunContext context) {
    guardrails.checkDisk(context);
    ModificationPlan first = statements.getFirst().plan();
    ConditionalRead.Builder read = new ConditionalRead.Builder(first.table(), true);
    for (BatchStatement statement : statements) {
      ModificationPlan plan = statement.plan();
      BatchPlanner.requireSameTable(first.table(), plan.table());
      ConditionPlan condition = plan.condition();
      // like Cassandra, which ignores the static columns of statements without a condition
      read.writes(plan.writesRows(), condition != null && plan.writesStatics());
      addChanged(plan, read);
      if (condition != null) {
        read.add(condition);
      }
    }
    run(read.build(first.keys()), statements, true, context);
  }

  private void run(
      ConditionalRead read, List<BatchStatement> statements, boolean batch, RunContext context) {
    long now = context.nowSeconds(clock);
    ConditionTest test = new ConditionTest(read, now, segments);
    PartitionList.@Nullable Partition partition = null;
    boolean any = false;
    ListRewrites rewrites = new ListRewrites(now, listPaths);
    ValueSums sums = new ValueSums(now, limit.bytes());
    WriteGuardrails.Outcome guarded = WriteGuardrails.Outcome.NONE;
    try {
      for (BatchStatement statement : statements) {
        PartitionList.Partition own = bind(statement, batch);
        if (partition == null) {
          partition = own;
          begin(read.table(), own, context.schema().epoch());
        } else {
          partition = ConditionalChecks.requireSame(partition, own);
        }
        any |= add(statement.plan(), test, rewrites, sums, now);
        guarded = guardrails.checkLater(statement.plan(), bound, guarded);
      }
    } catch (CqlException e) {
      runRejected(read, statements, batch, e, context);
      return;
    }
    if (partition == null) {
      throw new IllegalArgumentException("a batch without statements");
    }
    mutation.endTable().finish();
    limit.check(bytes, context.schema());
    List<DependentCells> dependent = new ArrayList<>();
    if (!rewrites.isEmpty()) {
      dependent.add(rewrites);
    }
    if (!sums.isEmpty()) {
      dependent.add(sums);
    }
    ConditionalWrite write =
        new ConditionalWrite(
            test.request(prefix, limits.tombstonesFailCount()),
            test,
            new ByteWriter(bytes.size()).putBytes(bytes.segment(), 0, bytes.size()),
            any,
            dependent,
            guarded);
    start(statements.getFirst().plan().keyspace(), read, partition, write, context);
  }

  /**
   * Reports the mistake that Cassandra reports. One in the values to be written is an error only if
   * the conditions hold.
   */
  private void runRejected(
      ConditionalRead read,
      List<BatchStatement> statements,
      boolean batch,
      CqlException rejection,
      RunContext context) {
    long now = context.nowSeconds(clock);
    ConditionTest test = new ConditionTest(read, now, segments);
    PartitionList.Partition partition = checks.requireValid(statements, batch, test);
    CqlException mistake = checks.mistakeInValues(statements, now);
    if (mistake == null) {
      throw rejection;
    }
    prefix.clear(KEPT_BYTES).putBytes(partition.prefix());
    ConditionalWrite write =
        new ConditionalWrite(
            test.request(prefix, limits.tombstonesFailCount()),
            test,
            new ByteWriter(0),
            false,
            List.of(),
            new WriteGuardrails.Outcome(List.of(), mistake));
    start(statements.getFirst().plan().keyspace(), read, partition, write, context);
  }

  private void begin(TableSchema table, PartitionList.Partition partition, long epoch) {
    prefix.clear(KEPT_BYTES).putBytes(partition.prefix());
    bytes.clear(KEPT_BYTES);
    mutation
        .begin(partition.token(), epoch, prefix.segment(), 0, prefix.size())
        .beginTable(table.storageId());
  }

  /** Binds the values of a statement; returns its only partition. */
  private PartitionList.Partition bind(BatchStatement statement, boolean batch) {
    ModificationPlan plan = statement.plan();
    bound.bind(plan.slots(), statement.values());
    ConstraintChecks constraints = plan.constraints();
    if (constraints != null) {
      constraints.check(bound);
    }
    ConditionalChecks.refuseInPartitionKey(plan, batch);
    ConditionalChecks.refuseInClustering(plan);
    return PartitionList.of(plan.partitionKey(), plan.keys(), bound).getFirst();
  }

  /** Adds the condition and the entries of the bound statement; false if it writes nothing. */
  private boolean add(
      ModificationPlan plan, ConditionTest test, ListRewrites rewrites, ValueSums sums, long now) {
    ConditionPlan condition = plan.condition();
    if (condition != null) {
      test.add(condition, plan.writesRows() ? rowSuffix(plan) : null, bound);
    }
    times.fillConditional(plan, bound, ConditionalWrite.PLACEHOLDER_MICROS, now);
    if (!plan.rewrites().isEmpty()) {
      rewrites.add(plan, bound, times);
    }
    if (!plan.sums().isEmpty()) {
      sums.add(plan, bound, times);
    }
    return entries.write(plan, bound, mutation);
  }

  /** The key suffix of the only row that a statement writes. */
  private byte[] rowSuffix(ModificationPlan plan) {
    ranges.buildRows(plan.clustering(), plan.keys(), bound);
    return Bytes.toArray(ranges.segment(), ranges.lowerOffset(0), ranges.lowerLength(0));
  }

  private void start(
      KeyspaceProperties keyspace,
      ConditionalRead read,
      PartitionList.Partition partition,
      ConditionalWrite write,
      RunContext context) {
    ConsistencyLevel serial = context.parameters().serialConsistency();
    ConsistencyLevel commit = context.parameters().consistency();
    checkLevels(keyspace, serial, commit);
    coordinator.computeConditional(
        keyspace,
        partition.token(),
        serial,
        commit,
        write,
        new AppliedAnswer(read, write, context.exchange(), context.trace()));
  }

  private static void checkLevels(
      KeyspaceProperties keyspace, ConsistencyLevel serial, ConsistencyLevel commit) {
    if (!serial.isSerial()) {
      throw CqlException.invalid(
          "Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL");
    }
    if (commit.isSerial()) {
      throw CqlException.invalid(
          commit
              + " is not supported as conditional update commit consistency. Use ANY if you mean"
              + " \"make sure it is accepted but I don't care how many replicas commit it for"
              + " non-SERIAL reads\"");
    }
    String strategy = keyspace.replication().className();
    if (commit == ConsistencyLevel.EACH_QUORUM && strategy.equals(Replication.SIMPLE)) {
      throw CqlException.invalid(
          "consistency level EACH_QUORUM not compatible with replication strategy ("
              + strategy
              + ")");
    }
  }
}
