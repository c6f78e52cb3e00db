package io.helenus.server.query.plan;

import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.functions.CqlFunction;
import io.helenus.server.functions.NativeFunctions;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a selection of a SELECT list. One planning. */
final class SelectionCompiler {
  private final TableSchema table;
  private final List<InputColumn> inputs = new ArrayList<>();
  private final List<ResultColumns.Column> columns = new ArrayList<>();
  private final List<Integer> outputInputs = new ArrayList<>();
  private final List<@Nullable Expression> outputExpressions = new ArrayList<>();
  private final List<AggregateCall> aggregates = new ArrayList<>();

  private record InputColumn(SelectionInput.Kind kind, ColumnSchema column) {}

  SelectionCompiler(TableSchema table) {
    this.table = table;
  }

  /** Compiles the list, or {@code *}. */
  void compile(SelectStatement statement) {
    if (statement.isWildcard()) {
      for (ColumnSchema column : table.columns()) {
        add(column.name(), column.type(), value(column));
      }
      return;
    }
    for (Selector selector : statement.selectors()) {
      compile(selector);
    }
  }

  private void compile(Selector selector) {
    Selectable selectable = selector.selectable();
    switch (selectable) {
      case Selectable.Column(String name, boolean ignored) -> {
        ColumnSchema column = Columns.require(table, name);
        add(named(selector, name), column.type(), value(column));
      }
      case Selectable.CountRows ignored -> {
        aggregates.add(countRows());
        Expression result = new Expression.Aggregate(aggregates.size() - 1, ScalarType.BIGINT);
        addExpression(named(selector, "count"), result);
      }
      case Selectable.CellFactOf fact -> {
        CqlType type =
            fact.fact() == Selectable.CellFact.TIME_TO_LIVE ? ScalarType.INT : ScalarType.BIGINT;
        String name = fact.fact().functionName() + "(" + fact.column().name() + ")";
        add(named(selector, name), type, cellFact(fact));
      }
      default -> throw Unsupported.feature("this selector");
    }
  }

  private static AggregateCall countRows() {
    CqlFunction count = NativeFunctions.resolve(null, "count_rows", List.of(), List.of(), null);
    if (!(count instanceof AggregateFunction function)) {
      throw new IllegalStateException("count is an aggregate");
    }
    return new AggregateCall(function, List.of());
  }

  private static String named(Selector selector, String name) {
    return selector.alias() == null ? name : selector.alias();
  }

  private void add(String name, CqlType type, int input) {
    columns.add(new ResultColumns.Column(table.keyspace(), table.name(), name, type));
    outputInputs.add(input);
    outputExpressions.add(null);
  }

  private void addExpression(String name, Expression expression) {
    columns.add(new ResultColumns.Column(table.keyspace(), table.name(), name, expression.type()));
    outputInputs.add(-1);
    outputExpressions.add(expression);
  }

  private int value(ColumnSchema column) {
    return input(
        switch (column.kind()) {
          case PARTITION_KEY -> SelectionInput.Kind.PARTITION_KEY;
          case CLUSTERING -> SelectionInput.Kind.CLUSTERING;
          case STATIC, REGULAR -> SelectionInput.Kind.CELL;
        },
        column);
  }

  private int cellFact(Selectable.CellFactOf fact) {
    ColumnSchema column = Columns.require(table, fact.column().name());
    if (column.isPrimaryKey()) {
      throw CqlException.invalid(
          "Cannot use selection function "
              + fact.fact().functionName()
              + " on PRIMARY KEY part "
              + column.name());
    }
    if (!(fact.target() instanceof Selectable.Column)) {
      throw Unsupported.feature(fact.fact().functionName() + " of a part of a column");
    }
    return input(
        fact.fact() == Selectable.CellFact.TIME_TO_LIVE
            ? SelectionInput.Kind.TIME_TO_LIVE
            : SelectionInput.Kind.WRITE_TIME,
        column);
  }

  private int input(SelectionInput.Kind kind, ColumnSchema column) {
    InputColumn wanted = new InputColumn(kind, column);
    int known = inputs.indexOf(wanted);
    if (known >= 0) {
      return known;
    }
    inputs.add(wanted);
    return inputs.size() - 1;
  }

  /** The columns of the table that are asked for, in the order of the list. */
  List<ColumnSchema> selectedColumns() {
    return inputs.stream().map(InputColumn::column).distinct().toList();
  }

  /** The selection, once all columns that are read have slots. */
  Selection build(ReadColumns read) {
    List<SelectionInput> resolved = new ArrayList<>(inputs.size());
    for (InputColumn input : inputs) {
      resolved.add(input(input.kind(), input.column(), read));
    }
    return new Selection(
        new ResultColumns(columns),
        resolved,
        outputInputs.stream().mapToInt(Integer::intValue).toArray(),
        outputExpressions.toArray(new Expression[0]),
        aggregates);
  }

  static SelectionInput input(SelectionInput.Kind kind, ColumnSchema column, ReadColumns read) {
    int index = column.isPrimaryKey() ? column.position() : read.slot(column.id());
    return new SelectionInput(kind, index, column.type());
  }
}
