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
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import org.jspecify.annotations.Nullable;

/**
 * SELECT, planned. Immutable; arrays must not be changed.
 *
 * @param keySlots the slots of the key where it is restricted by = alone
 * @param keys how the keys of the table are made of values
 * @param filterInputs for each filter of the WHERE clause where a row has the value that is tested
 * @param distinct one row per partition, from its key and static columns alone
 * @param grouping GROUP BY; null when there is none
 * @param warning for the client at each run; null for none
 */
public record SelectPlan(
    KeyspaceSchema keyspace,
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

  /** The columns that are read of each row. */
  public ReadColumns readColumns() {
    return selection.readColumns();
  }

  /** The slots of the clustering key of one row; null unless a whole one is given by = alone. */
  public int @Nullable [] rowSlots() {
    int[] slots = keySlots.clustering();
    return slots != null && slots.length == keys.clusteringCount() ? slots : null;
  }

  /** Whether rows are gathered into groups. */
  public boolean isAggregate() {
    return grouping != null || selection.aggregates().length > 0;
  }

  /** Whether all rows make one group, which is there even with no rows. */
  public boolean isSingleGroup() {
    return grouping == null && selection.aggregates().length > 0;
  }

  /** Whether ORDER BY asks for an order over several partitions. */
  public boolean ordersPartitions() {
    return ordering.sortKey() != null;
  }

  /**
   * Whether rows of several partitions are sorted before they are answered; aggregates need no
   * order.
   */
  public boolean sortsPartitions() {
    return ordersPartitions() && !isAggregate();
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
