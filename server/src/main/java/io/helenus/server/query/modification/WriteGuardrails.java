package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.guardrails.ValueList;
import io.helenus.server.query.restriction.InProducts;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.env.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The guardrails on INSERT, UPDATE, DELETE and BATCH. A statement that writes several rows is
 * checked once. Immutable; any thread.
 */
public final class WriteGuardrails {
  private final Guardrails guardrails;
  private final boolean checksLevels;
  private final boolean checksTimestamps;
  private final boolean checksDisk;
  private final boolean checksStatements;

  /** Creates the guardrails that are on. */
  public WriteGuardrails(Guardrails guardrails) {
    this.guardrails = guardrails;
    this.checksLevels = guardrails.has(ValueList.WRITE_CONSISTENCY_LEVELS);
    this.checksTimestamps = guardrails.hasAny(Limit.MAXIMUM_TIMESTAMP, Limit.MINIMUM_TIMESTAMP);
    this.checksDisk = guardrails.hasAny(Limit.DATA_DISK_USAGE_PERCENTAGE);
    this.checksStatements =
        !guardrails.allows(Feature.READ_BEFORE_WRITE_LIST_OPERATIONS)
            || guardrails.hasAny(
                Limit.IN_SELECT_CARTESIAN_PRODUCT,
                Limit.COLUMN_VALUE_SIZE,
                Limit.COLLECTION_SIZE,
                Limit.ITEMS_PER_COLLECTION);
  }

  /**
   * Checks the consistency levels of a statement or batch.
   *
   * @throws CqlException if one of them is not allowed
   */
  public void checkLevels(RunContext context) {
    if (!checksLevels) {
      return;
    }
    Set<ConsistencyLevel> levels =
        EnumSet.of(context.parameters().consistency(), context.parameters().serialConsistency());
    guardrails.check(
        ValueList.WRITE_CONSISTENCY_LEVELS,
        levels.stream().map(Enum::name).toList(),
        context::warn);
  }

  /**
   * Checks the timestamp of a statement outside a batch.
   *
   * @param micros its timestamp
   * @throws CqlException if it is given by the statement and too far in the past or future
   */
  void checkTimestamp(ModificationPlan plan, long micros, Clock clock, RunContext context) {
    if (checksTimestamps && plan.using().timestampSlot() != null) {
      guardrails.checkTimestamp(micros, clock.wallMicros(), plan.table().name(), context::warn);
    }
  }

  /**
   * Checks that the disk has room for a write. As in Cassandra, conditional writes are exempt, but
   * not conditional batches.
   *
   * @throws CqlException if it is full
   */
  void checkDisk(RunContext context) {
    if (checksDisk) {
      guardrails.diskUsage().check(context::warn);
    }
  }

  /**
   * Checks the disk and the bound values of a statement.
   *
   * @throws CqlException if they violate a guardrail
   */
  void check(ModificationPlan plan, BoundSlots bound, RunContext context) {
    checkDisk(context);
    if (!checksValues(plan)) {
      return;
    }
    boolean any =
        InProducts.check(plan.partitionKey(), "partition key", bound, guardrails, context::warn)
            && (!InProducts.namesRows(plan.clustering(), plan.keys())
                || InProducts.check(
                    plan.clustering(), "clustering key", bound, guardrails, context::warn));
    if (any) {
      new ValueGuards(plan.table(), bound, guardrails, context::warn).check(plan);
    }
  }

  /** Whether there is any limit on the values of a statement. */
  private boolean checksValues(ModificationPlan plan) {
    return checksStatements || !plan.table().indexes().isEmpty();
  }

  /** The outcome of checking values that are written only if conditions hold. */
  record Outcome(List<String> warnings, @Nullable CqlException violation) {
    static final Outcome NONE = new Outcome(List.of(), null);
  }

  /** Checks the values of statements that are written only if conditions hold. */
  Outcome checkLater(ModificationPlan plan, BoundSlots bound, Outcome earlier) {
    if (!checksValues(plan) || earlier.violation != null) {
      return earlier;
    }
    List<String> warnings = new ArrayList<>(earlier.warnings);
    try {
      new ValueGuards(plan.table(), bound, guardrails, warnings::add).check(plan);
      return new Outcome(warnings, null);
    } catch (CqlException e) {
      if (e.isGuardrail()) {
        warnings.add(e.error().message());
      }
      return new Outcome(warnings, e);
    }
  }
}
