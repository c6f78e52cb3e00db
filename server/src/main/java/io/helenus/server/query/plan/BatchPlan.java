package io.helenus.server.query.plan;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.server.protocol.ResultColumns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * BEGIN BATCH … APPLY BATCH, planned. Immutable.
 *
 * @param slots the batch's own values
 * @param timestampSlot of USING TIMESTAMP, or {@link ModificationPlan#NO_SLOT}
 * @param statements their markers are numbered through the batch
 */
public record BatchPlan(
    BatchStatement.Kind kind,
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
  public ResultColumns markers() {
    return markerColumns.columns();
  }

  @Override
  public @Nullable String[] markerNames() {
    return markerColumns.names();
  }

  @Override
  public int[] partitionKeyIndexes() {
    return markerColumns.partitionKeyIndexes();
  }
}
