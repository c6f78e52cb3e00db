package io.helenus.server.query.selection;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selector;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles a select list to a selection. One per statement. */
public final class SelectionCompiler {
  private final TableSchema table;
  private final SelectionInputs inputs = new SelectionInputs();
  private final SelectableCompiler selectables;
  private final List<ResultColumns.Column> columns = new ArrayList<>();
  private final List<Integer> outputInputs = new ArrayList<>();
  private final List<@Nullable Expression> outputExpressions = new ArrayList<>();

  public SelectionCompiler(PlanningScope scope, TableSchema table, ValueSlots.Builder slots) {
    this.table = table;
    this.selectables = new SelectableCompiler(scope, table, slots, inputs);
  }

  /** Compiles the list, or {@code *}. */
  public void compile(SelectStatement statement) {
    if (statement.isWildcard()) {
      for (ColumnSchema column : table.columns()) {
        add(column.name(), column.type(), inputs.value(column));
      }
      return;
    }
    for (Selector selector : statement.selectors()) {
      SelectableCompiler.Selected selected = selectables.compile(selector.selectable());
      String alias = selector.alias();
      add(alias == null ? selected.name() : alias, selected.type(), selected.expression());
    }
  }

  private void add(String name, CqlType type, Expression expression) {
    columns.add(new ResultColumns.Column(table.keyspace(), table.name(), name, type));
    boolean asItIs = expression instanceof Expression.Input;
    outputInputs.add(expression instanceof Expression.Input input ? input.index() : -1);
    outputExpressions.add(asItIs ? null : expression);
  }

  /** The selected table columns, in the order of the list. */
  public List<ColumnSchema> selectedColumns() {
    return inputs.columns();
  }

  /** The selection; call once all columns to read have slots. */
  public Selection build(ReadColumns read) {
    return new Selection(
        new ResultColumns(columns),
        read,
        inputs.resolve(read),
        outputInputs.stream().mapToInt(Integer::intValue).toArray(),
        outputExpressions.toArray(new Expression[0]),
        selectables.aggregates());
  }
}
