package io.helenus.server.query.modification;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.TableSchema;
import java.util.List;

/**
 * The plan of BEGIN BATCH … APPLY BATCH. Immutable; any thread.
 *
 * @param slots the values of the batch's USING clause
 * @param statements the statements, with markers numbered across the whole batch
 */
public record BatchPlan(
    BatchStatement.Kind batchKind,
    MarkerColumns markerColumns,
    ValueSlots slots,
    UsingClause using,
    List<ModificationPlan> statements,
    boolean isQualified)
    implements StatementPlan {
  /** Copies the list. */
  public BatchPlan {
    statements = List.copyOf(statements);
  }

  @Override
  public List<TableSchema> tables() {
    return statements.stream().map(ModificationPlan::table).toList();
  }

  @Override
  public Kind kind() {
    return Kind.BATCH;
  }
}
