package io.helenus.server.query.selection;

import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.functions.FunctionArguments;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.AnswerMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the rows of a result: the selection applied to the current row, or to a group of rows. A
 * large result consists of chunks, each of which ends with a row; their memory is limited. One read
 * at a time.
 */
public final class SelectedRows implements ExpressionEvaluator.Inputs {
  /** The size of a chunk, unless a row is larger. A result up to this size has one. */
  public static final int CHUNK_BYTES = 256 << 10;

  private static final int KEPT_BYTES = 32 << 10;

  private final CurrentRow row;
  private final ExpressionEvaluator evaluator;
  private final AnswerMemory.Answer memory;
  private final AnswerMemory allMemory;
  private final ByteWriter out;
  private final ByteWriter scratch = new ByteWriter(64);
  private @Nullable Selection selection;
  private byte[] @Nullable [] markers = new byte[0][];
  private AggregateFunction.State[] states = new AggregateFunction.State[0];
  private FunctionArguments[] arguments = new FunctionArguments[0];
  private byte @Nullable [] @Nullable [] groupInputs;
  private int count;

  /** The chunks before {@link #out}, and their size; null as long as that is the only one. */
  private @Nullable ByteChunks full;

  private long fullBytes;

  /** The size of the last row. */
  private int rowBytes;

  /**
   * Collects the values of a row; takes memory for large results from this one. The evaluator must
   * not be used by anything else.
   */
  public SelectedRows(CurrentRow row, ExpressionEvaluator evaluator, AnswerMemory memory) {
    this.row = row;
    this.allMemory = memory;
    this.memory = memory.answer();
    this.out = ByteWriter.recycling(this.memory, 4096);
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
    clear();
    memory.begin();
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

  private void clear() {
    out.clear(KEPT_BYTES);
    rowBytes = 0;
    ByteChunks dropped = full;
    if (dropped != null) {
      full = null;
      fullBytes = 0;
      dropped.release();
    }
  }

  /** Ends the result and releases its memory if it is large. */
  public void end() {
    clear();
    memory.end();
    scratch.clear(KEPT_BYTES);
    evaluator.end();
    row.end();
  }

  /** The number of rows. */
  public int count() {
    return count;
  }

  /** The size of the encoded rows. */
  public long sizeBytes() {
    return fullBytes + out.size();
  }

  /** Whether the rows are too many for one chunk. */
  public boolean isLarge() {
    return full != null || out.size() > CHUNK_BYTES;
  }

  /** The encoded rows, unless they are large; each output is a [bytes]. */
  public ByteWriter bytes() {
    return out;
  }

  /** Hands over the encoded rows, of which none are left here. */
  public ByteChunks takeChunks() {
    ByteChunks chunks = chunks();
    if (out.size() > 0) {
      chunks.add(out);
    }
    full = null;
    fullBytes = 0;
    return chunks;
  }

  private ByteChunks chunks() {
    return full != null ? full : new ByteChunks(allMemory.segments());
  }

  /**
   * Makes room for another row, if it is not longer than the last one. Call this after each row
   * that others may follow, so that memory is refused between rows.
   *
   * @throws io.helenus.storage.memory.ShareExhaustedException if there is no memory; the rows are
   *     kept
   */
  public void makeRoom() {
    if (out.capacity() - out.size() < rowBytes) {
      grow();
    }
  }

  private void grow() {
    if (out.size() + rowBytes <= CHUNK_BYTES) {
      out.makeRoom(rowBytes);
      return;
    }
    int bytes = out.size();
    ByteChunks chunks = chunks();
    chunks.add(out);
    full = chunks;
    fullBytes += bytes;
    out.makeRoom(Math.max(rowBytes, CHUNK_BYTES));
  }

  /** Ends the result while another thread may still add to it. */
  public void abandon() {
    memory.abandon();
  }

  /** Adds an encoded row again, from what {@link #takeChunks} returned. */
  public void addAgain(ByteChunks chunks, long start, int length) {
    chunks.copy(start, length, out);
    rowBytes = length;
    makeRoom();
  }

  /** Encodes the current row. */
  public void add() {
    Selection chosen = selection();
    int start = out.size();
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
    rowBytes = out.size() - start;
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
    int start = out.size();
    for (int i = 0; i < chosen.outputCount(); i++) {
      int input = chosen.outputInput(i);
      if (input >= 0) {
        putValue(input(input), out);
      } else {
        putExpression(chosen.outputExpression(i));
      }
    }
    count++;
    rowBytes = out.size() - start;
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
