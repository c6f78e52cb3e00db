package io.helenus.server.query.select;

import io.helenus.server.coordinator.Failures;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.error.CqlError;
import io.helenus.server.guardrails.Feature;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.query.restriction.IndexPlan;
import io.helenus.server.query.restriction.Nearest;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.schema.IndexSchema;
import org.jspecify.annotations.Nullable;

/** What is checked and traced when a SELECT uses indexes. Immutable; any thread. */
final class IndexUse {
  private final Guardrails guardrails;
  private final IndexStatus status;
  private final long filesWarned;
  private final long filesFailed;

  IndexUse(Guardrails guardrails, IndexStatus status) {
    this.guardrails = guardrails;
    filesWarned = guardrails.warnsAbove(Limit.SAI_SSTABLE_INDEXES_PER_QUERY);
    filesFailed = guardrails.failsAbove(Limit.SAI_SSTABLE_INDEXES_PER_QUERY);
    this.status = status;
  }

  /** How a plan, which uses an index, does so. */
  static IndexPlan of(SelectPlan plan) {
    IndexPlan use = plan.where().index();
    if (use == null) {
      throw new IllegalStateException("no index is used");
    }
    return use;
  }

  /**
   * Checks that the indexes of a plan may be used.
   *
   * @throws io.helenus.server.error.CqlException if a guardrail forbids it
   */
  void check(SelectPlan plan, RunContext context) {
    if (plan.where().isKeyRange()) {
      guardrails.require(Feature.NON_PARTITION_RESTRICTED_INDEX_QUERY, context::warn);
    }
  }

  /** Limits the files in which a plan looks its index up. */
  void limitFiles(SelectPlan plan, IndexPlan use, SelectOperation operation) {
    IndexSchema index = looked(plan, use);
    if (index != null && index.kind() == IndexSchema.Kind.SAI) {
      operation.limitIndexFiles(filesWarned, filesFailed);
    } else {
      operation.limitIndexFiles(Long.MAX_VALUE, Long.MAX_VALUE);
    }
  }

  private static @Nullable IndexSchema looked(SelectPlan plan, IndexPlan use) {
    Nearest nearest = plan.where().nearest();
    return nearest == null ? use.index() : nearest.index();
  }

  /** The error of a plan whose indexes are not all built; null if they are. */
  @Nullable CqlError unavailable(SelectPlan plan, IndexPlan use, RunContext context) {
    for (IndexSchema index : use.required()) {
      if (!status.isBuilt(plan.table().storageId(), index.id())) {
        return Failures.indexNotAvailable(
            index.kind() == IndexSchema.Kind.SAI, context.parameters().consistency());
      }
    }
    return null;
  }

  /** Names the index in the trace of the request, if there is one. */
  static void trace(SelectPlan plan, IndexPlan use, RunContext context) {
    RequestTrace trace = context.trace();
    IndexSchema index = looked(plan, use);
    if (trace != null) {
      trace.event(index == null ? "No index is looked up" : "Scanning with index " + index.name());
    }
  }
}
