package io.helenus.server.query.modification;

import io.helenus.server.coordinator.ComputedCallback;
import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.coordinator.WriteType;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.metrics.BatchKind;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs modifications of counter tables, alone and in batches: encodes a mutation with deltas for
 * each partition of each table, and passes it to the coordinator as a {@link CounterWrite}.
 * Deletions take the same way, so that they are in one order with the increments of their
 * partition. One per shard; shard thread only.
 */
public final class CounterRunner {
  private final Coordinator coordinator;
  private final Clock clock;
  private final BoundSlots bound;
  private final VoidAnswer.Pool answers;
  private final WriteTimes times = new WriteTimes();
  private final EntryWriter entries;
  private final ModificationChecks checks;
  private final WriteGuardrails guardrails;
  private final BatchLimits batchLimits;
  private final MutationLimit limit;
  private final ByteWriter prefix = new ByteWriter(128);

  /** Creates the runner of a shard. */
  public CounterRunner(ModificationServices services) {
    this.coordinator = services.coordinator();
    this.clock = services.clock();
    this.bound = services.bound();
    this.checks = services.checks();
    this.guardrails = services.guardrails();
    this.batchLimits = new BatchLimits(services.limits(), services.advisor());
    this.limit = services.mutationLimit();
    this.answers = services.answers();
    this.entries = new EntryWriter(times, services.listPaths(), true);
  }

  /** Whether the statements of a batch modify counter tables: all do, or none. */
  static boolean isCounting(List<BatchStatement> statements) {
    return !statements.isEmpty() && statements.getFirst().plan().table().isCounter();
  }

  /** A part of the write: what happens to one partition of one table. */
  private record PartKey(TableSchema table, byte[] prefix) {
    @Override
    public boolean equals(Object other) {
      return other instanceof PartKey(TableSchema otherTable, byte[] otherPrefix)
          && table == otherTable
          && Arrays.equals(prefix, otherPrefix);
    }

    @Override
    public int hashCode() {
      return 31 * table.storageId() + Arrays.hashCode(prefix);
    }
  }

  private record Part(
      KeyspaceProperties keyspace, long token, ByteWriter bytes, MutationWriter writer) {}

  /**
   * Runs a single modification and responds to its exchange.
   *
   * @throws CqlException INVALID if a value or the consistency level is invalid; then nothing is
   *     written and no response is sent
   */
  public void run(ModificationPlan plan, BoundValues values, RunContext context) {
    ConsistencyLevel level = context.parameters().consistency();
    if (level == ConsistencyLevel.ANY) {
      throw CqlException.invalid(
          "Consistency level ANY is not yet supported for counter table " + plan.table().name());
    }
    if (level.isSerial()) {
      throw CqlException.invalid("Counter operations are inherently non-serializable");
    }
    long micros = timestamp(context);
    long now = context.nowSeconds(clock);
    Map<PartKey, Part> parts = new LinkedHashMap<>();
    try {
      int ignored = add(plan, values, micros, now, context, parts);
    } catch (CqlException e) {
      CqlException refusal =
          e.isGuardrail() ? e : checks.check(plan, values, micros, now).refusal(e);
      if (refusal != null) {
        throw refusal;
      }
    }
    entries.takeCountedBytes();
    start(parts, now, context);
  }

  /** Runs a batch of modifications of counter tables. */
  void runBatch(List<BatchStatement> statements, RunContext context) {
    long micros = timestamp(context);
    long now = context.nowSeconds(clock);
    Map<PartKey, Part> parts = new LinkedHashMap<>();
    entries.takeCountedBytes();
    int countedBytes = 0;
    for (BatchStatement statement : statements) {
      try {
        countedBytes += add(statement.plan(), statement.values(), micros, now, context, parts);
      } catch (CqlException e) {
        CqlException refusal = e.isGuardrail() ? e : refusal(statements, statement, micros, now, e);
        if (refusal != null) {
          throw refusal;
        }
      }
    }
    int partitions = countPartitions(parts);
    if (partitions > 1) {
      batchLimits.check(partitions, countedBytes, false, tables(parts), context);
    }
    coordinator.metrics().batch(BatchKind.COUNTER, partitions, coordinator.shard().nanos());
    start(parts, now, context);
  }

  /** The error to answer a batch with; null if the rejected statement has no effect. */
  private @Nullable CqlException refusal(
      List<BatchStatement> statements,
      BatchStatement rejected,
      long micros,
      long now,
      CqlException rejection) {
    CqlException mistake =
        checks.mistake(statements, micros, now, ModificationChecks.ListReadCheck.NONE);
    return mistake == null
        ? checks.check(rejected.plan(), rejected.values(), micros, now).refusal(rejection)
        : mistake;
  }

  private static int countPartitions(Map<PartKey, Part> parts) {
    Set<List<Object>> partitions = new LinkedHashSet<>();
    for (PartKey key : parts.keySet()) {
      partitions.add(
          List.of(
              key.table.keyspace(),
              new String(key.prefix, java.nio.charset.StandardCharsets.ISO_8859_1)));
    }
    return partitions.size();
  }

  private static Set<TableSchema> tables(Map<PartKey, Part> parts) {
    Set<TableSchema> tables = new LinkedHashSet<>();
    parts.keySet().forEach(key -> tables.add(key.table));
    return tables;
  }

  /** The timestamp of the client; otherwise the write gets its timestamp when it is computed. */
  private static long timestamp(RunContext context) {
    long requested = context.parameters().timestampMicros();
    return requested == QueryParameters.NO_TIMESTAMP
        ? ConditionalWrite.PLACEHOLDER_MICROS
        : requested;
  }

  /** Adds the entries of a statement; returns their size by Cassandra's count for batches. */
  private int add(
      ModificationPlan plan,
      BoundValues values,
      long micros,
      long now,
      RunContext context,
      Map<PartKey, Part> parts) {
    bound.bind(plan.slots(), values);
    times.fill(plan, bound, micros, now);
    guardrails.check(plan, bound, context);
    List<PartitionList.Partition> partitions =
        PartitionList.of(plan.partitionKey(), plan.keys(), bound);
    if (partitions.isEmpty()) {
      checks.check(plan, values, micros, now).requireNoMistake();
    }
    int countedBytes = 0;
    for (PartitionList.Partition partition : partitions) {
      PartKey key = new PartKey(plan.table(), partition.prefix());
      Part known = parts.get(key);
      Part part = known == null ? begin(plan, partition, context.schema().epoch()) : known;
      boolean any = entries.write(plan, bound, part.writer);
      countedBytes += entries.takeCountedBytes();
      if (any && known == null) {
        parts.put(key, part);
        countedBytes += EntryWriter.EMPTY_UPDATE_BYTES;
      }
    }
    return countedBytes;
  }

  private Part begin(ModificationPlan plan, PartitionList.Partition partition, long epoch) {
    prefix.clear().putBytes(partition.prefix());
    ByteWriter bytes = new ByteWriter(256);
    MutationWriter writer = new MutationWriter(bytes);
    writer
        .begin(partition.token(), epoch, prefix.segment(), 0, prefix.size())
        .beginTable(plan.table().storageId());
    return new Part(plan.keyspace(), partition.token(), bytes, writer);
  }

  private void start(Map<PartKey, Part> parts, long now, RunContext context) {
    WriteCallback answer = answers.take(context.exchange(), context.trace());
    if (parts.isEmpty()) {
      answer.written();
      return;
    }
    List<CounterWrite> writes = new ArrayList<>(parts.size());
    for (Map.Entry<PartKey, Part> entry : parts.entrySet()) {
      Part part = entry.getValue();
      part.writer.endTable().finish();
      limit.check(part.bytes, context.schema());
      byte[] key = entry.getKey().prefix;
      prefix.clear().putBytes(key);
      ReadRequest request =
          new ReadRequest()
              .reset(entry.getKey().table.storageId(), now)
              .partition(prefix.segment(), 0, key.length);
      writes.add(
          new CounterWrite(
              request,
              part.bytes,
              context.parameters().timestampMicros() == QueryParameters.NO_TIMESTAMP));
    }
    PartsAnswer whole = new PartsAnswer(answer, context.trace(), parts.size());
    int next = 0;
    for (Part part : parts.values()) {
      coordinator.compute(
          part.keyspace,
          part.token,
          context.parameters().consistency(),
          WriteType.COUNTER,
          writes.get(next++),
          whole);
    }
  }

  /** Succeeds when all parts have, fails with the first part that fails. Shard thread only. */
  private static final class PartsAnswer implements ComputedCallback {
    private final WriteCallback client;
    private final @Nullable RequestTrace trace;
    private int missing;
    private boolean answered;

    PartsAnswer(WriteCallback client, @Nullable RequestTrace trace, int parts) {
      this.client = client;
      this.trace = trace;
      this.missing = parts;
    }

    @Override
    public void computed(ComputedResult result) {
      if (trace != null && !answered) {
        AppliedAnswer.describe(result, trace);
      }
      missing--;
      if (missing == 0 && !answered) {
        answered = true;
        client.written();
      }
    }

    @Override
    public void failed(CqlError error) {
      if (!answered) {
        answered = true;
        client.failed(error);
      }
    }
  }
}
