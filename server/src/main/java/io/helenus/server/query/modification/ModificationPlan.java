package io.helenus.server.query.modification;

import io.helenus.server.query.condition.ConditionPlan;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.KeySlots;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementKind;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of INSERT, UPDATE or DELETE, alone or in a batch. In a batch, markers are numbered
 * across the whole batch. Immutable (the arrays must not be modified); any thread.
 *
 * @param keyspace the keyspace of the table
 * @param partitionKey one restriction for each partition key column
 * @param clustering the restrictions of clustering columns; empty if only static columns are
 *     written or whole partitions are deleted
 * @param keySlots the slots of the key columns if all of them are restricted by {@code =}
 * @param regularCells the operations on every row, in ascending column id
 * @param staticCells the operations on the static row, in ascending column id
 * @param rewrites the changes of lists that depend on their present elements
 * @param sums the values that are added to present ones; only with a condition
 * @param writesRows false if only the static row is written
 * @param condition the plan of IF; null without IF
 * @param constraints checks the values; null if the written columns have no constraints
 */
public record ModificationPlan(
    KeyspaceProperties keyspace,
    TableSchema table,
    Action action,
    boolean isQualified,
    MarkerColumns markerColumns,
    ValueSlots slots,
    UsingClause using,
    List<Restriction> partitionKey,
    List<Restriction> clustering,
    KeySlots keySlots,
    KeyLayout keys,
    CellOperation[] regularCells,
    CellOperation[] staticCells,
    ListRewrite.Plan rewrites,
    ValueSums.Plan sums,
    boolean writesRows,
    StatementKind statement,
    @Nullable ConditionPlan condition,
    @Nullable ConstraintChecks constraints)
    implements StatementPlan {
  /** What a plan does to the rows that the key restrictions select. */
  public enum Action {
    /** Writes liveness and cells. */
    INSERT,
    /** Sets or deletes cells. */
    SET_CELLS,
    /** Deletes whole rows. */
    DELETE_ROWS,
    /** Deletes ranges of rows. */
    DELETE_RANGES,
    /** Deletes whole partitions. */
    DELETE_PARTITION
  }

  /** Whether it changes lists depending on their present elements. */
  public boolean rewritesLists() {
    return !rewrites.isEmpty();
  }

  /** Whether it writes the static row. */
  boolean writesStatics() {
    return staticCells.length > 0 || !rewrites.statics().isEmpty() || !sums.statics().isEmpty();
  }

  @Override
  public List<TableSchema> tables() {
    return List.of(table);
  }

  @Override
  public Kind kind() {
    return Kind.MODIFICATION;
  }
}
