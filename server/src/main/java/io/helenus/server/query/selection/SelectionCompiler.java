package io.helenus.server.query.selection;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selector;
import io.helenus.server.functions.JsonFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.List;

/** Compiles a select list to a selection. One per statement. */
public final class SelectionCompiler {
  private final TableSchema table;
  private final SelectionInputs inputs = new SelectionInputs();
  private final SelectableCompiler selectables;
  private final List<ResultColumns.Column> columns = new ArrayList<>();
  private final List<Expression> expressions = new ArrayList<>();

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
    }
    for (Selector selector : statement.selectors()) {
      SelectableCompiler.Selected selected = selectables.compile(selector.selectable());
      String alias = selector.alias();
      add(alias == null ? selected.name() : alias, selected.type(), selected.expression());
    }
    if (statement.json()) {
      toJson();
    }
  }

  /** Replaces all columns by one with the JSON of the row. */
  private void toJson() {
    List<Expression> values = List.copyOf(expressions);
    List<String> names = columns.stream().map(ResultColumns.Column::name).toList();
    List<CqlType> types = columns.stream().map(ResultColumns.Column::type).toList();
    columns.clear();
    expressions.clear();
    ScalarFunction row = JsonFunctions.row(names, types);
    add("[json]", ScalarType.TEXT, new Expression.Call(row, values));
  }

  private void add(String name, CqlType type, Expression expression) {
    columns.add(new ResultColumns.Column(table.keyspace(), table.name(), name, type));
    expressions.add(expression);
  }

  /** The selected table columns, in the order of the list. */
  public List<ColumnSchema> selectedColumns() {
    return inputs.columns();
  }

  /** The selected table columns of which more than ranges of elements are read. */
  public List<ColumnSchema> wholeColumns() {
    return inputs.wholeColumns();
  }

  /** The selection; call once all columns to read have slots. */
  public Selection build(ReadColumns read) {
    return new Selection(
        new ResultColumns(columns),
        read,
        inputs.resolve(read),
        expressions.stream()
            .mapToInt(each -> each instanceof Expression.Input input ? input.index() : -1)
            .toArray(),
        expressions.stream()
            .map(each -> each instanceof Expression.Input ? null : each)
            .toArray(Expression[]::new),
        selectables.aggregates(),
        inputs.ranges(),
        inputs.keys());
  }
}
