package io.helenus.server.query.select;

import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.KeySlots;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.selection.Grouping;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.selection.Selection;
import io.helenus.server.query.selection.SelectionInput;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a SELECT. Immutable; callers must not modify the arrays.
 *
 * @param keySlots the slots of the partition key if it is restricted by = only
 * @param keys encodes values as keys of the table
 * @param filterInputs for each filter of the WHERE clause, the location of the tested value in a
 *     row
 * @param distinct whether to return one row per partition, from its key and static columns only
 * @param grouping GROUP BY; null without one
 * @param warning sent to the client with each execution; null for none
 */
public record SelectPlan(
    KeyspaceProperties keyspace,
    TableSchema table,
    boolean isQualified,
    MarkerColumns markerColumns,
    ValueSlots slots,
    WherePlan where,
    KeySlots keySlots,
    KeyLayout keys,
    SelectionInput[] filterInputs,
    Selection selection,
    Limits limits,
    Ordering ordering,
    boolean distinct,
    @Nullable Grouping grouping,
    @Nullable String warning)
    implements StatementPlan {

  /** The columns read from each row. */
  public ReadColumns readColumns() {
    return selection.readColumns();
  }

  /**
   * The slots of the clustering key of one row; null unless all its columns are restricted by =
   * only. Without clustering columns a partition has one row, which no slot identifies. Null too if
   * they do not determine the key.
   */
  public int @Nullable [] rowSlots() {
    int[] slots = keySlots.clustering();
    return slots != null && slots.length == keys.clusteringCount() && !keys.hasHiddenComponent()
        ? slots
        : null;
  }

  /** Whether all rows of the table are read, on all nodes, and tested against the WHERE clause. */
  public boolean filtersAllRows() {
    return where.needsFiltering()
        && where.isKeyRange()
        && where.index() == null
        && where.token() == null
        && where.nearest() == null;
  }

  /** Whether rows are aggregated into groups. */
  public boolean isAggregate() {
    return grouping != null || selection.aggregates().length > 0;
  }

  /** Whether all rows form a single group, which exists even without rows. */
  public boolean isSingleGroup() {
    return grouping == null && selection.aggregates().length > 0;
  }

  /** Whether ORDER BY applies across several partitions. */
  public boolean ordersPartitions() {
    return ordering.sortKey() != null;
  }

  /** Whether the rows of a partition are read in reverse clustering order. */
  public boolean readsBackwards() {
    return ordering.reversed();
  }

  /** Whether rows or groups are sorted before they are returned. */
  public boolean sortsRows() {
    return ordering.sortsRows() && !isSingleGroup();
  }

  @Override
  public List<TableSchema> tables() {
    return List.of(table);
  }

  @Override
  public Kind kind() {
    return Kind.SELECT;
  }

  @Override
  public ResultColumns resultColumns() {
    return selection.columns();
  }
}
