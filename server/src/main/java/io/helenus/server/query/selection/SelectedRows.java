package io.helenus.server.query.selection;

import io.helenus.server.error.CqlException;
import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.functions.FunctionArguments;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the rows of a result: the selection applied to the current row, or to a group of rows.
 * One read at a time.
 */
public final class SelectedRows implements ExpressionEvaluator.Inputs {
  private static final int KEPT_BYTES = 64 << 10;
  private static final int LIMIT_BYTES = 256 << 20;

  private final CurrentRow row;
  private final ExpressionEvaluator evaluator;
  private final ByteWriter out;
  private final ByteWriter scratch = new ByteWriter(64);
  private @Nullable Selection selection;
  private byte[] @Nullable [] markers = new byte[0][];
  private AggregateFunction.State[] states = new AggregateFunction.State[0];
  private FunctionArguments[] arguments = new FunctionArguments[0];
  private byte @Nullable [] @Nullable [] groupInputs;
  private int count;

  /**
   * Collects the values of a row; takes memory for large results from these segments. The evaluator
   * must not be used by anything else.
   */
  public SelectedRows(CurrentRow row, ExpressionEvaluator evaluator, LargeSegments segments) {
    this.row = row;
    this.out = ByteWriter.recycling(segments, 4096);
    this.evaluator = evaluator;
  }

  /**
   * Starts a result.
   *
   * @param boundMarkers the values of all bind markers, if expressions need them
   */
  public void begin(Selection newSelection, byte[] @Nullable [] boundMarkers) {
    selection = newSelection;
    markers = boundMarkers;
    out.clear(KEPT_BYTES);
    count = 0;
    groupInputs = null;
    AggregateCall[] aggregates = newSelection.aggregates();
    if (states.length != aggregates.length) {
      states = new AggregateFunction.State[aggregates.length];
      arguments = new FunctionArguments[aggregates.length];
    }
    for (int i = 0; i < states.length; i++) {
      states[i] = aggregates[i].function().newState();
      arguments[i] = new FunctionArguments(aggregates[i].arguments().size());
    }
  }

  /** Ends the result and releases its memory if it is large. */
  public void end() {
    out.clear(KEPT_BYTES);
    scratch.clear(KEPT_BYTES);
    evaluator.end();
    row.end();
  }

  /** The number of rows. */
  public int count() {
    return count;
  }

  /** The encoded rows; each output is a [bytes]. */
  public ByteWriter bytes() {
    return out;
  }

  /** Encodes the current row. */
  public void add() {
    Selection chosen = selection();
    SelectionInput[] inputs = chosen.inputs();
    int outputs = chosen.outputCount();
    for (int i = 0; i < outputs; i++) {
      int input = chosen.outputInput(i);
      if (input >= 0) {
        row.put(inputs[input], out);
      } else {
        putExpression(chosen.outputExpression(i));
      }
    }
    count++;
    if (out.size() > LIMIT_BYTES) {
      throw CqlException.invalid(
          "The rows of this result exceed " + LIMIT_BYTES + " bytes; use paging");
    }
  }

  private void putExpression(@Nullable Expression expression) {
    putValue(expression == null ? null : evaluator.evaluate(expression, this), out);
  }

  private static void putValue(byte @Nullable [] value, ByteWriter target) {
    if (value == null) {
      target.putInt(-1);
    } else {
      target.putInt(value.length).putBytes(value);
    }
  }

  /**
   * Adds the current row to the group. Columns outside aggregates take the values of the group's
   * first row.
   */
  public void addToGroup() {
    Selection chosen = selection();
    AggregateCall[] aggregates = chosen.aggregates();
    byte[][] first = groupInputs;
    groupInputs = null;
    for (int i = 0; i < aggregates.length; i++) {
      SelectionInput cell = chosen.aggregatedCell(i);
      if (cell == null) {
        setArguments(chosen, aggregates[i].arguments(), arguments[i]);
      } else {
        row.setArgument(cell, arguments[i]);
      }
      states[i].add(arguments[i]);
    }
    if (first == null) {
      SelectionInput[] inputs = chosen.inputs();
      first = new byte[inputs.length][];
      for (int i = 0; i < inputs.length; i++) {
        first[i] = row.bytes(inputs[i]);
      }
    }
    groupInputs = first;
  }

  /** Sets the arguments of an aggregate for the current row; columns are copied once. */
  private void setArguments(
      Selection chosen, List<Expression> expressions, FunctionArguments values) {
    scratch.clear(KEPT_BYTES);
    for (int i = 0; i < expressions.size(); i++) {
      Expression expression = expressions.get(i);
      if (expression instanceof Expression.Input input) {
        row.put(chosen.inputs()[input.index()], scratch);
      } else {
        putValue(evaluator.evaluate(expression, this), scratch);
      }
    }
    values.set(scratch);
  }

  /** Computes an expression from the current row, also while a group is open. */
  public byte @Nullable [] ofCurrentRow(Expression expression) {
    byte[][] group = groupInputs;
    groupInputs = null;
    try {
      return evaluator.evaluate(expression, this);
    } finally {
      groupInputs = group;
    }
  }

  /** Whether the group has rows. */
  public boolean hasGroup() {
    return groupInputs != null;
  }

  /**
   * Encodes the group as a row and starts a new group. In a group without rows, columns outside
   * aggregates are null.
   */
  public void endGroup() {
    Selection chosen = selection();
    if (groupInputs == null) {
      groupInputs = new byte[chosen.inputs().length][];
    }
    for (int i = 0; i < chosen.outputCount(); i++) {
      int input = chosen.outputInput(i);
      if (input >= 0) {
        putValue(input(input), out);
      } else {
        putExpression(chosen.outputExpression(i));
      }
    }
    count++;
    groupInputs = null;
    for (AggregateFunction.State state : states) {
      state.reset();
    }
  }

  private Selection selection() {
    if (selection == null) {
      throw new IllegalStateException("no read has started");
    }
    return selection;
  }

  @Override
  public byte @Nullable [] marker(int index) {
    return markers[index];
  }

  @Override
  public byte @Nullable [] input(int index) {
    byte[][] group = groupInputs;
    return group != null ? group[index] : row.bytes(selection().inputs()[index]);
  }

  @Override
  public byte @Nullable [] aggregate(int index) {
    scratch.clear();
    return states[index].result(scratch) ? scratch.toArray() : null;
  }
}
