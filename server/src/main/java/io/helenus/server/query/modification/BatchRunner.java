package io.helenus.server.query.modification;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.PartitionWrite;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.coordinator.WriteType;
import io.helenus.server.error.CqlException;
import io.helenus.server.metrics.BatchKind;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.KeyWriter;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches, in three steps:
 *
 * <ol>
 *   <li>the entries of all statements are appended to one buffer and indexed by partition;
 *   <li>for each partition, one mutation is built, with its tables in the order of their first
 *       statements;
 *   <li>a single mutation is written like that of a single statement. Several mutations are written
 *       through the batch log or, in an unlogged batch, independently.
 * </ol>
 *
 * <p>One per shard; shard thread only.
 */
public final class BatchRunner {
  private static final int KEPT_BYTES = 256 << 10;

  private final Coordinator coordinator;
  private final Clock clock;
  private final ServerTimestamps timestamps;
  private final BoundSlots bound;
  private final VoidAnswer.Pool answers;
  private final WriteTimes times = new WriteTimes();
  private final CollectionElements.ListPaths listPaths;
  private final EntryWriter entries;
  private final ModificationChecks checks;
  private final WriteGuards guards;
  private final BatchLimits batchLimits;
  private final MutationLimit limit;
  private final ConditionalRunner conditional;
  private final CounterRunner counters;
  private final ByteWriter entryBytes = new ByteWriter(4096);
  private final MutationWriter entryWriter = new MutationWriter(entryBytes);
  private final ByteWriter prefix = new ByteWriter(128);
  private final KeyWriter keys = new KeyWriter();

  /** The partition of the last statement of the batch; null before the first. */
  private @Nullable PartitionKey lastKey;

  /** Creates a runner that sends its mutations to this coordinator. */
  public BatchRunner(
      Coordinator coordinator,
      Clock clock,
      ServerTimestamps timestamps,
      BoundSlots bound,
      CollectionElements.ListPaths listPaths,
      ModificationChecks checks,
      WriteGuards guards,
      RequestLimits limits,
      MutationLimit limit,
      ConditionalRunner conditional,
      CounterRunner counters,
      VoidAnswer.Pool answers) {
    this.coordinator = coordinator;
    this.clock = clock;
    this.timestamps = timestamps;
    this.bound = bound;
    this.checks = checks;
    this.guards = guards;
    this.batchLimits = new BatchLimits(limits);
    this.limit = limit;
    this.conditional = conditional;
    this.counters = counters;
    this.answers = answers;
    this.listPaths = listPaths;
    this.entries = new EntryWriter(times, listPaths);
  }

  /** A statement of a batch with its values. */
  public record Statement(ModificationPlan plan, BoundValues values) {}

  private record Entries(TableSchema table, int offset, int length) {}

  private record PartitionKey(String keyspace, byte[] prefix) {
    boolean isOf(String otherKeyspace, ByteWriter otherPrefix) {
      if (!keyspace.equals(otherKeyspace) || prefix.length != otherPrefix.size()) {
        return false;
      }
      for (int i = 0; i < prefix.length; i++) {
        if (prefix[i] != Bytes.getByte(otherPrefix.segment(), i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof PartitionKey(String otherKeyspace, byte[] otherPrefix)
          && keyspace.equals(otherKeyspace)
          && Arrays.equals(prefix, otherPrefix);
    }

    @Override
    public int hashCode() {
      return 31 * keyspace.hashCode() + Arrays.hashCode(prefix);
    }
  }

  /** A table's part of a partition that changes lists depending on their present elements. */
  private record RewriteKey(PartitionKey partition, TableSchema table) {}

  private record PartitionDraft(KeyspaceSchema keyspace, long token, List<Entries> entries) {
    boolean has(TableSchema table) {
      for (Entries each : entries) {
        if (each.table == table) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Runs a batch that was sent as text; its statements share one list of values.
   *
   * @throws CqlException INVALID if a value is invalid or the batch too large; nothing is written
   */
  public void run(BatchPlan plan, BoundValues values, RunContext context) {
    long requestMicros = timestamps.of(context.parameters());
    List<Statement> statements = new ArrayList<>(plan.statements().size());
    for (ModificationPlan each : plan.statements()) {
      statements.add(new Statement(each, values));
    }
    long micros = requestMicros;
    if (plan.using().timestampSlot() != null && !statements.isEmpty()) {
      try {
        bound.bind(plan.slots(), values);
        micros = plan.using().timestampMicros(bound, requestMicros);
      } catch (CqlException e) {
        checks.requireValidKeys(statements);
        throw e;
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
  public void run(List<Statement> statements, boolean logged, RunContext context) {
    run(statements, logged, timestamps.of(context.parameters()), context);
  }

  private void run(List<Statement> statements, boolean logged, long micros, RunContext context) {
    if (CounterRunner.isCounting(statements)) {
      counters.runBatch(statements, context);
      return;
    }
    if (ConditionalRunner.isConditional(statements)) {
      conditional.runBatch(statements, context);
      return;
    }
    long now = context.nowSeconds(clock);
    Map<PartitionKey, PartitionDraft> drafts = new LinkedHashMap<>();
    Map<RewriteKey, ListRewrites> rewrites = new LinkedHashMap<>();
    entryBytes.clear(KEPT_BYTES);
    lastKey = null;
    entries.takeCountedBytes();
    int countedBytes = 0;
    for (Statement statement : statements) {
      try {
        countedBytes += draft(statement, micros, now, drafts, rewrites, context);
      } catch (CqlException e) {
        if (e.isGuardrail()) {
          throw e;
        }
        checks.requireValid(statements, micros, now);
        if (!checks.hasNothingToDo(statement.plan(), statement.values(), micros, now)) {
          throw e;
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
            drafts.size(),
            coordinator.shard().nanos());
    List<PartitionWrite> writes = mutations(drafts, context.schema());
    if (drafts.size() > 1) {
      batchLimits.check(drafts.size(), countedBytes, logged, tables(drafts.values()), context);
    }
    start(drafts, rewrites, writes, now, logged, context);
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
    long micros = timestamps.of(context.parameters());
    long now = context.nowSeconds(clock);
    Map<PartitionKey, PartitionDraft> drafts = new LinkedHashMap<>();
    Map<RewriteKey, ListRewrites> rewrites = new LinkedHashMap<>();
    entryBytes.clear(KEPT_BYTES);
    lastKey = null;
    try {
      int ignored = draft(new Statement(plan, values), micros, now, drafts, rewrites, context);
      guards.checkTimestamp(plan, times.timestampMicros(), clock.wallMicros(), context);
    } catch (CqlException e) {
      if (e.isGuardrail() || !checks.hasNothingToDo(plan, values, micros, now)) {
        throw e;
      }
    }
    if (drafts.isEmpty()) {
      answers.take(context.exchange(), context.trace()).written();
      return;
    }
    start(drafts, rewrites, mutations(drafts, context.schema()), now, false, context);
  }

  private void start(
      Map<PartitionKey, PartitionDraft> drafts,
      Map<RewriteKey, ListRewrites> rewrites,
      List<PartitionWrite> writes,
      long now,
      boolean logged,
      RunContext context) {
    ConsistencyLevel level = context.parameters().consistency();
    if (level == ConsistencyLevel.ANY && !rewrites.isEmpty()) {
      throw CqlException.invalid(
          "Write operation require a read but consistency ANY is not supported on reads");
    }
    WriteCallback answer = answers.take(context.exchange(), context.trace());
    if (rewrites.isEmpty()) {
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
            whole -> writeComputed(whole, logged, level, schema, answer));
    List<PartitionKey> keys = new ArrayList<>(drafts.keySet());
    rewrites.forEach(
        (key, changes) -> batch.add(keys.indexOf(key.partition), key.table.storageId(), changes));
    batch.start();
  }

  private void writeComputed(
      List<PartitionWrite> writes,
      boolean logged,
      ConsistencyLevel level,
      Schema schema,
      WriteCallback answer) {
    if (writes.isEmpty()) {
      answer.written();
      return;
    }
    try {
      writes.forEach(write -> limit.check(write.mutation(), schema));
    } catch (CqlException e) {
      answer.failed(e.error());
      return;
    }
    write(writes, logged, level, answer);
  }

  /** Appends the entries of one statement; returns their size by Cassandra's count. */
  private int draft(
      Statement statement,
      long micros,
      long now,
      Map<PartitionKey, PartitionDraft> drafts,
      Map<RewriteKey, ListRewrites> rewrites,
      RunContext context) {
    ModificationPlan plan = statement.plan();
    bound.bind(plan.slots(), statement.values());
    times.fill(plan, bound, micros, now);
    checkConstraints(plan);
    guards.check(plan, bound, context);
    int[] slots = plan.keySlots().partition();
    if (slots != null && plan.rewrites().isEmpty()) {
      prefix.clear();
      long token = keys.putPrefix(plan.keys(), bound, slots, prefix);
      return draft(plan, token, false, drafts);
    }
    List<PartitionList.Partition> partitions =
        PartitionList.of(plan.partitionKey(), plan.keys(), bound);
    if (partitions.isEmpty()) {
      boolean ignored = checks.hasNothingToDo(plan, statement.values(), micros, now);
    }
    int countedBytes = 0;
    for (PartitionList.Partition partition : partitions) {
      boolean rewritten = addRewrites(plan, partition, now, rewrites);
      prefix.clear().putBytes(partition.prefix());
      countedBytes += draft(plan, partition.token(), rewritten, drafts);
    }
    return countedBytes;
  }

  private void checkConstraints(ModificationPlan plan) {
    ConstraintChecks constraints = plan.constraints();
    if (constraints != null) {
      constraints.check(bound);
    }
  }

  /** Adds the changes of lists of one statement in one partition; false if there are none. */
  private boolean addRewrites(
      ModificationPlan plan,
      PartitionList.Partition partition,
      long now,
      Map<RewriteKey, ListRewrites> rewrites) {
    if (plan.rewrites().isEmpty()) {
      return false;
    }
    RewriteKey key =
        new RewriteKey(new PartitionKey(plan.keyspace().name(), partition.prefix()), plan.table());
    ListRewrites known = rewrites.get(key);
    ListRewrites changes = known == null ? new ListRewrites(now, listPaths) : known;
    changes.add(plan, bound, times);
    if (changes.isEmpty()) {
      return false;
    }
    rewrites.put(key, changes);
    return true;
  }

  /**
   * Appends the entries of one statement in the partition whose key is in {@code prefix}; returns
   * their size by Cassandra's count.
   */
  private int draft(
      ModificationPlan plan,
      long token,
      boolean rewritten,
      Map<PartitionKey, PartitionDraft> drafts) {
    entryWriter
        .begin(token, 0, prefix.segment(), 0, prefix.size())
        .beginTable(plan.table().storageId());
    int start = entryBytes.size();
    boolean any = entries.write(plan, bound, entryWriter);
    int length = entryBytes.size() - start;
    entryWriter.endTable().finish();
    int counted = entries.takeCountedBytes();
    if (!any && !rewritten) {
      return 0;
    }
    PartitionDraft draft = partition(plan.keyspace(), token, drafts);
    boolean first = !draft.has(plan.table());
    draft.entries.add(new Entries(plan.table(), start, length));
    return counted + (first ? EntryWriter.EMPTY_UPDATE_BYTES : 0);
  }

  /**
   * The draft of the partition whose key is in {@code prefix}: usually that of the statement
   * before.
   */
  private PartitionDraft partition(
      KeyspaceSchema keyspace, long token, Map<PartitionKey, PartitionDraft> drafts) {
    PartitionKey last = lastKey;
    if (last != null && last.isOf(keyspace.name(), prefix)) {
      return Objects.requireNonNull(drafts.get(last));
    }
    PartitionKey key = new PartitionKey(keyspace.name(), prefix.toArray());
    lastKey = key;
    return drafts.computeIfAbsent(
        key, ignored -> new PartitionDraft(keyspace, token, new ArrayList<>()));
  }

  private static Set<TableSchema> tables(Collection<PartitionDraft> drafts) {
    Set<TableSchema> tables = new LinkedHashSet<>();
    for (PartitionDraft draft : drafts) {
      draft.entries.forEach(each -> tables.add(each.table));
    }
    return tables;
  }

  private List<PartitionWrite> mutations(Map<PartitionKey, PartitionDraft> drafts, Schema schema) {
    List<PartitionWrite> writes = new ArrayList<>(drafts.size());
    for (Map.Entry<PartitionKey, PartitionDraft> entry : drafts.entrySet()) {
      PartitionDraft draft = entry.getValue();
      ByteWriter mutation = mutation(entry.getKey(), draft, schema.epoch());
      limit.check(mutation, schema);
      writes.add(new PartitionWrite(draft.keyspace, draft.token, mutation));
    }
    return writes;
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

  private ByteWriter mutation(PartitionKey key, PartitionDraft draft, long epoch) {
    ByteWriter bytes = coordinator.takeBuffer();
    MutationWriter writer = new MutationWriter(bytes);
    prefix.clear().putBytes(key.prefix);
    writer.begin(draft.token, epoch, prefix.segment(), 0, prefix.size());
    for (TableSchema table : tables(List.of(draft))) {
      writer.beginTable(table.storageId());
      for (Entries each : draft.entries) {
        if (each.table == table) {
          writer.entries(entryBytes.segment(), each.offset, each.length);
        }
      }
      writer.endTable();
    }
    writer.finish();
    return bytes;
  }
}
