package io.helenus.server.query.modification;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.ValueSlots;
import java.util.List;

/**
 * BEGIN BATCH … APPLY BATCH, planned. Immutable.
 *
 * @param slots the batch's own values
 * @param timestampSlot of USING TIMESTAMP, or {@link ModificationPlan#NO_SLOT}
 * @param statements their markers are numbered through the batch
 */
public record BatchPlan(
    BatchStatement.Kind batchKind,
    MarkerColumns markerColumns,
    ValueSlots slots,
    int timestampSlot,
    List<ModificationPlan> statements,
    boolean isQualified)
    implements StatementPlan {
  /** Copies the list. */
  public BatchPlan {
    statements = List.copyOf(statements);
  }

  @Override
  public Kind kind() {
    return Kind.BATCH;
  }
}
