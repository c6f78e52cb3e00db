package io.helenus.server.query.selection;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import io.helenus.server.error.CqlException;
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
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compiles a select list to a selection. One per statement. */
public final class SelectionCompiler {
  private final TableSchema table;
  private final SelectionInputs inputs = new SelectionInputs();
  private final SelectableCompiler selectables;
  private final List<ResultColumns.Column> columns = new ArrayList<>();
  private final List<Expression> expressions = new ArrayList<>();
  private @Nullable Expression groupExpression;

  public SelectionCompiler(PlanningScope scope, TableSchema table, ValueSlots.Builder slots) {
    this.table = table;
    this.selectables = new SelectableCompiler(scope, table, slots, inputs);
  }

  /** Compiles the list, or {@code *}. */
  public void compile(SelectStatement statement) {
    if (statement.isWildcard()) {
      for (ColumnSchema column : table.visibleColumns()) {
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

  /**
   * A function of GROUP BY.
   *
   * @param columns the columns that it is computed from
   */
  record GroupingFunction(Expression expression, List<ColumnSchema> columns) {}

  /** Compiles a function of GROUP BY; its columns become inputs of the selection. */
  GroupingFunction groupingFunction(Selectable selectable) {
    boolean isCall =
        selectable instanceof Selectable.Function
            || selectable instanceof Selectable.Operation
            || selectable instanceof Selectable.Negation
            || selectable instanceof Selectable.CountRows;
    if (!isCall) {
      throw onlyMonotonic();
    }
    SelectableCompiler.Selected selected = selectables.compile(selectable);
    if (selected.expression() instanceof Expression.Aggregate aggregate) {
      throw CqlException.invalid(
          "Aggregate functions are not supported within the GROUP BY clause, got: system."
              + selectables.aggregates().get(aggregate.index()).function().name());
    }
    TreeSet<Integer> read = new TreeSet<>();
    collectInputs(selected.expression(), read);
    groupExpression = selected.expression();
    return new GroupingFunction(
        selected.expression(), read.stream().map(inputs::column).distinct().toList());
  }

  private static CqlException onlyMonotonic() {
    return CqlException.invalid(
        "Only column names and monotonic scalar functions are supported in the GROUP BY clause.");
  }

  private static void collectInputs(Expression expression, Set<Integer> read) {
    switch (expression) {
      case Expression.Input input -> read.add(input.index());
      case Expression.Call call -> call.arguments().forEach(each -> collectInputs(each, read));
      case Expression.Composed composed ->
          composed.parts().forEach(each -> collectInputs(each, read));
      case Expression.Aggregate ignored -> throw onlyMonotonic();
      case Expression.Constant ignored -> {}
      case Expression.Marker ignored -> {}
    }
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
        inputs.keys(),
        groupExpression);
  }
}
