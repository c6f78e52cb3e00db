package io.helenus.server.query.select;

import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.selection.Selection;
import io.helenus.server.query.selection.SelectionInput;
import io.helenus.server.query.statement.MarkerColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SELECT, planned. Immutable; arrays must not be changed.
 *
 * @param partitionKeySlots the slot of each partition key column where all are restricted by =
 * @param rowSlots the slot of each clustering column where all of them are restricted by =
 * @param keys how the keys of the table are made of values
 * @param filters what rows are tested for; each on one column, or an IN of several
 * @param filterInputs for each filter where a row has the value that is tested
 * @param limitSlot of LIMIT, -1 when there is none
 * @param perPartitionLimitSlot of PER PARTITION LIMIT, -1 when there is none
 * @param distinct one row per partition, from its key and static columns alone
 * @param reversed rows of a partition in the reverse of their declared order
 * @param sortFrom the first clustering column by which rows of several partitions are sorted; -1
 *     for none
 * @param sortTo the last one
 * @param groupPrefix how many clustering columns make a group; 0 groups by partition, -1 for no
 *     GROUP BY
 * @param warning for the client at each run; null for none
 */
public record SelectPlan(
    KeyspaceSchema keyspace,
    TableSchema table,
    boolean isQualified,
    MarkerColumns markerColumns,
    ValueSlots slots,
    WherePlan where,
    int @Nullable [] partitionKeySlots,
    int @Nullable [] rowSlots,
    KeyLayout keys,
    ReadColumns readColumns,
    List<Restriction> filters,
    SelectionInput[] filterInputs,
    Selection selection,
    int limitSlot,
    int perPartitionLimitSlot,
    boolean distinct,
    boolean reversed,
    int sortFrom,
    int sortTo,
    int groupPrefix,
    @Nullable String warning)
    implements StatementPlan {

  /** Whether rows are gathered into groups. */
  public boolean isAggregate() {
    return groupPrefix >= 0 || selection.aggregates().length > 0;
  }

  /** Whether all rows make one group, which is there even with no rows. */
  public boolean isSingleGroup() {
    return groupPrefix < 0 && selection.aggregates().length > 0;
  }

  /** Whether ORDER BY asks for an order over several partitions. */
  public boolean ordersPartitions() {
    return sortFrom >= 0;
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
