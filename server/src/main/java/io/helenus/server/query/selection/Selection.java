package io.helenus.server.query.selection;

import io.helenus.server.protocol.BoundValues;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.ValueWalk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps each row, or each group of rows, to the columns of the result. Immutable; callers must not
 * modify the arrays.
 */
public final class Selection {
  private final ResultColumns columns;
  private final ReadColumns readColumns;
  private final SelectionInput[] inputs;
  private final int[] outputInputs;
  private final @Nullable Expression[] outputExpressions;
  private final AggregateCall[] aggregates;
  private final @Nullable SelectionInput[] aggregatedCells;
  private final ElementRange[] ranges;
  private final ElementKey[] keys;
  private final boolean computed;
  private final boolean elementTimes;
  private final Expression.Marker[] markers;
  private final Expression.Call[] constantCalls;

  /** An output: one of the inputs unchanged, or an expression. */
  Selection(
      ResultColumns columns,
      ReadColumns readColumns,
      List<SelectionInput> inputs,
      int[] outputInputs,
      @Nullable Expression[] outputExpressions,
      List<AggregateCall> aggregates,
      List<ElementRange> ranges,
      List<ElementKey> keys,
      @Nullable Expression groupExpression) {
    this.columns = columns;
    this.readColumns = readColumns;
    this.inputs = inputs.toArray(new SelectionInput[0]);
    this.outputInputs = outputInputs;
    this.outputExpressions = outputExpressions;
    this.aggregates = aggregates.toArray(new AggregateCall[0]);
    aggregatedCells = new SelectionInput[aggregates.size()];
    for (int i = 0; i < aggregatedCells.length; i++) {
      aggregatedCells[i] = onlyCell(aggregates.get(i).arguments(), inputs);
    }
    this.ranges = ranges.toArray(new ElementRange[0]);
    this.keys = keys.toArray(new ElementKey[0]);
    boolean any = groupExpression != null;
    List<Expression.Marker> found = new ArrayList<>();
    List<Expression.Call> constants = new ArrayList<>();
    collectMarkers(groupExpression, found);
    for (Expression expression : outputExpressions) {
      any |= expression != null;
      collectMarkers(expression, found);
      collectConstants(expression, constants);
    }
    for (AggregateCall aggregate : aggregates) {
      aggregate.arguments().forEach(each -> collectMarkers(each, found));
      aggregate.arguments().forEach(each -> collectConstants(each, constants));
    }
    this.computed = any;
    this.elementTimes = inputs.stream().anyMatch(each -> each.kind().isOfElementTimes());
    this.markers = found.toArray(new Expression.Marker[0]);
    this.constantCalls = constants.toArray(new Expression.Call[0]);
  }

  /** The cell that is the only argument; null if there are others or it is something else. */
  private static @Nullable SelectionInput onlyCell(
      List<Expression> arguments, List<SelectionInput> inputs) {
    if (arguments.size() == 1 && arguments.getFirst() instanceof Expression.Input argument) {
      SelectionInput input = inputs.get(argument.index());
      return input.kind() == SelectionInput.Kind.CELL ? input : null;
    }
    return null;
  }

  private static void collectMarkers(
      @Nullable Expression expression, List<Expression.Marker> found) {
    switch (expression) {
      case null -> {}
      case Expression.Marker marker -> found.add(marker);
      case Expression.Call call -> call.arguments().forEach(each -> collectMarkers(each, found));
      case Expression.Composed composed ->
          composed.parts().forEach(each -> collectMarkers(each, found));
      case Expression.Input ignored -> {}
      case Expression.Aggregate ignored -> {}
      case Expression.Constant ignored -> {}
    }
  }

  /**
   * Collects the calls with the same result for all rows. Returns whether the expression itself is
   * constant; literals with elements are not, as in Cassandra.
   */
  private static boolean collectConstants(
      @Nullable Expression expression, List<Expression.Call> found) {
    return switch (expression) {
      case Expression.Constant ignored -> true;
      case Expression.Marker ignored -> true;
      case Expression.Call call -> {
        List<Expression.Call> inner = new ArrayList<>();
        boolean constant = call.function().deterministic();
        for (Expression argument : call.arguments()) {
          constant &= collectConstants(argument, inner);
        }
        found.addAll(constant ? List.of(call) : inner);
        yield constant;
      }
      case Expression.Composed composed -> {
        composed.parts().forEach(each -> collectConstants(each, found));
        yield false;
      }
      case Expression.Input ignored -> false;
      case Expression.Aggregate ignored -> false;
      case null -> false;
    };
  }

  /**
   * Checks the values of keys and markers.
   *
   * @throws io.helenus.server.error.CqlException INVALID for the first one that is rejected
   */
  public void checkValues(ValueWalk walk, BoundValues values) {
    for (ElementKey key : keys) {
      walk.bind(key.slot());
      key.requireValid(walk.bound());
    }
    for (Expression.Marker marker : markers) {
      byte[] ignored = ExpressionEvaluator.bound(marker, values);
    }
  }

  /** Sets the bounds of the elements that a run reads; throws if one of them is null. */
  void bindElements(ElementBounds bounds, BoundSlots bound) {
    for (ElementKey key : keys) {
      key.requireValid(bound);
    }
    bounds.bind(ranges, readColumns, bound);
  }

  /** The columns of the result. */
  public ResultColumns columns() {
    return columns;
  }

  /** The table columns to read, for outputs and filters. */
  public ReadColumns readColumns() {
    return readColumns;
  }

  /** The inputs read from each row. */
  public SelectionInput[] inputs() {
    return inputs;
  }

  /** Whether any input is made of the timestamps or expiries of elements. */
  boolean readsElementTimes() {
    return elementTimes;
  }

  /** The number of columns of the result. */
  public int outputCount() {
    return outputInputs.length;
  }

  /** The input that an output returns unchanged; -1 if the output is an expression. */
  public int outputInput(int output) {
    return outputInputs[output];
  }

  /** The expression of an output; null if it returns an input unchanged. */
  public @Nullable Expression outputExpression(int output) {
    return outputExpressions[output];
  }

  /** The aggregates; if there are any, rows are aggregated into groups. */
  public AggregateCall[] aggregates() {
    return aggregates;
  }

  /** The cell that is the only argument of an aggregate; null if its arguments are not that. */
  @Nullable SelectionInput aggregatedCell(int aggregate) {
    return aggregatedCells[aggregate];
  }

  /** The markers in expressions. */
  public Expression.Marker[] markers() {
    return markers;
  }

  /** The outermost calls that have the same result for all rows; Cassandra computes them first. */
  public Expression.Call[] constantCalls() {
    return constantCalls;
  }

  /** Whether any output, or what rows are grouped by, is an expression. */
  public boolean isComputed() {
    return computed;
  }
}
