package io.helenus.server.query.modification;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.PartitionWrite;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.coordinator.WriteType;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.restriction.KeyWriter;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.Schema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs INSERT, UPDATE and DELETE: encodes the bound values as keys and a mutation, and passes it to
 * the coordinator. One per shard; shard thread only.
 */
public final class ModificationRunner {
  private static final int KEPT_BYTES = 64 << 10;

  private final Coordinator coordinator;
  private final Clock clock;
  private final ServerTimestamps timestamps;
  private final BoundSlots bound;
  private final VoidAnswer.Pool answers;
  private final WriteTimes times = new WriteTimes();
  private final EntryWriter entries;
  private final ModificationChecks checks;
  private final WriteGuardrails guardrails;
  private final MutationLimit limit;
  private final KeyWriter keys = new KeyWriter();
  private final ByteWriter prefix = new ByteWriter(256);
  private final ByteWriter bytes;
  private final MutationWriter mutation;

  /** Creates the runner of a shard. */
  public ModificationRunner(ModificationServices services) {
    this.coordinator = services.coordinator();
    this.bytes = ByteWriter.recycling(services.segments(), 1024);
    this.mutation = new MutationWriter(bytes);
    this.clock = services.clock();
    this.timestamps = services.timestamps();
    this.bound = services.bound();
    this.checks = services.checks();
    this.guardrails = services.guardrails();
    this.limit = services.mutationLimit();
    this.answers = services.answers();
    this.entries = new EntryWriter(times, services.listPaths(), false);
  }

  /**
   * Runs a modification and responds to its exchange.
   *
   * @throws CqlException INVALID if a value or the consistency level is invalid; then nothing is
   *     written and no response is sent
   */
  public void run(ModificationPlan plan, BoundValues values, RunContext context) {
    ConsistencyLevel level = context.parameters().consistency();
    if (level.isSerial()) {
      throw CqlException.invalid("You must use conditional updates for serializable writes");
    }
    long micros = timestamps.of(context.parameters());
    long now = context.nowSeconds(clock);
    try {
      run(plan, values, level, micros, now, context);
    } catch (CqlException e) {
      CqlException refusal =
          e.isGuardrail() ? e : checks.check(plan, values, micros, now).refusal(e);
      if (refusal != null) {
        throw refusal;
      }
      answers.take(context.exchange(), context.trace()).written();
    }
  }

  private void run(
      ModificationPlan plan,
      BoundValues values,
      ConsistencyLevel level,
      long micros,
      long now,
      RunContext context) {
    bound.bind(plan.slots(), values);
    times.fill(plan, bound, micros, now);
    guardrails.checkTimestamp(plan, times.timestampMicros(), clock, context);
    checkConstraints(plan);
    guardrails.check(plan, bound, context);
    int[] slots = plan.keySlots().partition();
    if (slots == null) {
      runSeveral(plan, values, level, micros, now, context);
      return;
    }
    prefix.clear(KEPT_BYTES);
    long token = keys.putPrefix(plan.keys(), bound, slots, prefix);
    if (!write(plan, token, prefix.segment(), prefix.size(), context.schema().epoch())) {
      answers.take(context.exchange(), context.trace()).written();
      return;
    }
    limit.check(bytes, context.schema());
    WriteCallback answer = answers.take(context.exchange(), context.trace());
    coordinator.write(plan.keyspace(), token, level, WriteType.SIMPLE, takeMutation(), answer);
  }

  /**
   * Writes one partition at consistency level ONE with the current time. The callback is called
   * once, even if there is nothing to write.
   *
   * @throws CqlException if the values are invalid; then the callback is not called
   */
  public void runQuietly(
      ModificationPlan plan, BoundValues values, Schema schema, WriteCallback callback) {
    int[] slots = plan.keySlots().partition();
    if (slots == null) {
      throw new IllegalArgumentException("not a plan for a single partition");
    }
    bound.bind(plan.slots(), values);
    times.fill(plan, bound, timestamps.next(), clock.wallSeconds());
    prefix.clear(KEPT_BYTES);
    long token = keys.putPrefix(plan.keys(), bound, slots, prefix);
    if (write(plan, token, prefix.segment(), prefix.size(), schema.epoch())) {
      coordinator.write(
          plan.keyspace(), token, ConsistencyLevel.ONE, WriteType.SIMPLE, takeMutation(), callback);
    } else {
      callback.written();
    }
  }

  private void runSeveral(
      ModificationPlan plan,
      BoundValues values,
      ConsistencyLevel level,
      long micros,
      long now,
      RunContext context) {
    List<PartitionWrite> writes = new ArrayList<>();
    for (PartitionList.Partition partition :
        PartitionList.of(plan.partitionKey(), plan.keys(), bound)) {
      prefix.clear(KEPT_BYTES).putBytes(partition.prefix());
      if (write(
          plan, partition.token(), prefix.segment(), prefix.size(), context.schema().epoch())) {
        limit.check(bytes, context.schema());
        writes.add(new PartitionWrite(plan.keyspace(), partition.token(), takeMutation()));
      }
    }
    if (writes.isEmpty()) {
      checks.check(plan, values, micros, now).requireNoMistake();
      answers.take(context.exchange(), context.trace()).written();
      return;
    }
    coordinator.writeAll(writes, level, answers.take(context.exchange(), context.trace()));
  }

  /** Builds the mutation of one partition; false if it is empty. */
  private boolean write(
      ModificationPlan plan, long token, MemorySegment key, int keyLength, long epoch) {
    bytes.clear(KEPT_BYTES);
    mutation.begin(token, epoch, key, 0, keyLength).beginTable(plan.table().storageId());
    boolean any = entries.write(plan, bound, mutation);
    mutation.endTable().finish();
    return any;
  }

  private void checkConstraints(ModificationPlan plan) {
    ConstraintChecks constraints = plan.constraints();
    if (constraints != null) {
      constraints.check(bound);
    }
  }

  private ByteWriter takeMutation() {
    ByteWriter taken = coordinator.takeBuffer().putBytes(bytes.segment(), 0, bytes.size());
    bytes.clear(KEPT_BYTES);
    return taken;
  }
}
