package io.helenus.server.query.condition;

import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.selection.SelectionInput;
import io.helenus.server.query.selection.SelectionInputs;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a conditional statement or batch reads and returns. Immutable; any thread.
 *
 * @param columns the columns that are read
 * @param statics the static columns of which any value makes a static row that is shown
 * @param writesRows whether any statement writes regular rows
 * @param applied the columns of the result if the conditions hold
 * @param rejected the columns of the result if they do not hold and there are rows to show
 * @param shown the values of {@code rejected} after the first
 */
public record ConditionalRead(
    TableSchema table,
    KeyLayout keys,
    ReadColumns columns,
    List<ColumnSchema> statics,
    boolean writesRows,
    ResultColumns applied,
    ResultColumns rejected,
    List<SelectionInput> shown) {

  /** Collects the conditions of a statement or batch. */
  public static final class Builder {
    private final TableSchema table;
    private final boolean batch;
    private final Set<ColumnSchema> columns = new LinkedHashSet<>();
    private final Set<ColumnSchema> unshown = new LinkedHashSet<>();
    private boolean onRow;
    private boolean rows;
    private boolean statics;

    /** Starts without conditions. */
    public Builder(TableSchema table, boolean batch) {
      this.table = table;
      this.batch = batch;
    }

    /** Adds a condition. */
    public Builder add(ConditionPlan condition) {
      onRow |= condition.isOnRow();
      columns.addAll(condition.columns());
      return this;
    }

    /** Adds what a statement writes. */
    public Builder writes(boolean regularRows, boolean staticRow) {
      rows |= regularRows;
      statics |= staticRow;
      return this;
    }

    /** Adds a column that is read, but not shown. */
    public void alsoRead(ColumnSchema column) {
      unshown.add(column);
    }

    /** The read of everything added. */
    public ConditionalRead build(KeyLayout keys) {
      ReadColumns.Builder read = new ReadColumns.Builder(table);
      columns.forEach(read::add);
      unshown.forEach(read::add);
      if (statics) {
        // also those without a condition: whether there is a static row decides what is shown
        table.staticColumns().forEach(read::add);
      }
      if (onRow && rows) {
        table.regularColumns().forEach(read::add);
      }
      ReadColumns built = read.build();
      Collection<ColumnSchema> shown = shown();
      ResultColumns.Column applied =
          new ResultColumns.Column(table.keyspace(), table.name(), "[applied]", ScalarType.BOOLEAN);
      List<ResultColumns.Column> all = new ArrayList<>();
      all.add(applied);
      List<SelectionInput> inputs = new ArrayList<>();
      for (ColumnSchema column : shown) {
        all.add(
            new ResultColumns.Column(table.keyspace(), table.name(), column.name(), column.type()));
        inputs.add(SelectionInputs.value(column, built));
      }
      return new ConditionalRead(
          table,
          keys,
          built,
          statics
              ? table.staticColumns()
              : columns.stream().filter(ColumnSchema::isStatic).toList(),
          rows,
          new ResultColumns(List.of(applied)),
          new ResultColumns(all),
          List.copyOf(inputs));
    }

    /** The columns of the result, in Cassandra's order. */
    private Collection<ColumnSchema> shown() {
      if (onRow) {
        return table.visibleColumns();
      }
      Set<ColumnSchema> shown = new LinkedHashSet<>();
      if (batch) {
        shown.addAll(table.partitionKey());
        shown.addAll(table.clusteringColumns());
      }
      shown.addAll(columns);
      return shown;
    }
  }
}
