package io.helenus.server.query.selection;

import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.value.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a SELECT makes of each row, or of each group of rows. Immutable; the arrays must not be
 * changed.
 */
public final class Selection {
  private final ResultColumns columns;
  private final ReadColumns readColumns;
  private final SelectionInput[] inputs;
  private final int[] outputInputs;
  private final @Nullable Expression[] outputExpressions;
  private final AggregateCall[] aggregates;
  private final boolean computed;

  /** An output is one of the inputs as it is, or an expression. */
  Selection(
      ResultColumns columns,
      ReadColumns readColumns,
      List<SelectionInput> inputs,
      int[] outputInputs,
      @Nullable Expression[] outputExpressions,
      List<AggregateCall> aggregates) {
    this.columns = columns;
    this.readColumns = readColumns;
    this.inputs = inputs.toArray(new SelectionInput[0]);
    this.outputInputs = outputInputs;
    this.outputExpressions = outputExpressions;
    this.aggregates = aggregates.toArray(new AggregateCall[0]);
    boolean any = false;
    for (Expression expression : outputExpressions) {
      any |= expression != null;
    }
    this.computed = any;
  }

  /** The columns of the answer. */
  public ResultColumns columns() {
    return columns;
  }

  /** The columns of the table that are read, for the outputs and for filters. */
  public ReadColumns readColumns() {
    return readColumns;
  }

  /** What is read of each row. */
  public SelectionInput[] inputs() {
    return inputs;
  }

  /** How many columns the answer has. */
  public int outputCount() {
    return outputInputs.length;
  }

  /** The input that an output shows as it is; -1 when it is an expression. */
  public int outputInput(int output) {
    return outputInputs[output];
  }

  /** The expression of an output; null when it is an input as it is. */
  public @Nullable Expression outputExpression(int output) {
    return outputExpressions[output];
  }

  /** The aggregates; with any, rows are gathered into groups. */
  public AggregateCall[] aggregates() {
    return aggregates;
  }

  /** Whether any output is an expression. */
  public boolean isComputed() {
    return computed;
  }
}
