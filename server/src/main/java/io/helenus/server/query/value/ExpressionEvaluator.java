package io.helenus.server.query.value;

import io.helenus.server.config.HeapLimits;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionArguments;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.types.CompositeValues;
import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes expressions. Values are arrays in wire format, null for NULL: not for the hot path. One
 * thread at a time.
 */
public final class ExpressionEvaluator {
  private static final int KEPT_BYTES = 64 << 10;

  private final FunctionContext context;
  private final ByteWriter out = new ByteWriter(64);
  private final ByteWriter argumentBytes = new ByteWriter(64);

  /** Creates an evaluator that passes this context to functions. */
  public ExpressionEvaluator(FunctionContext context) {
    this.context = context;
  }

  /** Gives up the memory of large values. */
  public void end() {
    out.clear(KEPT_BYTES);
    argumentBytes.clear(KEPT_BYTES);
  }

  /** The values that an expression of a selection is computed from, by index. */
  public interface Inputs {
    /** The value bound to a marker. */
    byte @Nullable [] marker(int index);

    /** An input of the selection. */
    byte @Nullable [] input(int index);

    /** The result of an aggregate. */
    byte @Nullable [] aggregate(int index);
  }

  /**
   * Computes an expression of bound values only.
   *
   * @throws CqlException INVALID if a bound value is unset or not valid for its type, or if a
   *     function fails
   */
  public byte @Nullable [] evaluate(Expression expression, BoundValues values) {
    return switch (expression) {
      case Expression.Constant(byte[] value, var ignored) -> value;
      case Expression.Marker marker -> bound(marker, values);
      case Expression.Call call -> {
        List<byte @Nullable []> arguments = new ArrayList<>(call.arguments().size());
        for (Expression argument : call.arguments()) {
          arguments.add(evaluate(argument, values));
        }
        yield call(call, arguments);
      }
      case Expression.Composed composed -> {
        List<byte @Nullable []> parts = new ArrayList<>(composed.parts().size());
        for (Expression part : composed.parts()) {
          parts.add(evaluate(part, values));
        }
        yield CompositeValues.assemble(composed.type(), parts);
      }
      case Expression.Input ignored ->
          throw new IllegalStateException("needs a row: " + expression);
      case Expression.Aggregate ignored ->
          throw new IllegalStateException("needs a row: " + expression);
    };
  }

  /** Computes an expression of a selection. */
  public byte @Nullable [] evaluate(Expression expression, Inputs inputs) {
    return switch (expression) {
      case Expression.Constant(byte[] value, var ignored) -> value;
      case Expression.Marker marker -> inputs.marker(marker.index());
      case Expression.Input input -> inputs.input(input.index());
      case Expression.Aggregate aggregate -> inputs.aggregate(aggregate.index());
      case Expression.Call call -> {
        List<byte @Nullable []> arguments = new ArrayList<>(call.arguments().size());
        for (Expression argument : call.arguments()) {
          arguments.add(evaluate(argument, inputs));
        }
        yield call(call, arguments);
      }
      case Expression.Composed composed -> {
        List<byte @Nullable []> parts = new ArrayList<>(composed.parts().size());
        for (Expression part : composed.parts()) {
          parts.add(evaluate(part, inputs));
        }
        yield CompositeValues.assembleSelected(composed.type(), parts);
      }
    };
  }

  /**
   * The value bound to a marker, validated and encoded as usual.
   *
   * @throws CqlException INVALID if it is unset or not valid for its type
   */
  public static byte @Nullable [] bound(Expression.Marker marker, BoundValues values) {
    int length = values.length(marker.index());
    String unsetError = marker.unsetError();
    if (length == BoundValues.UNSET && unsetError != null) {
      throw CqlException.invalid(unsetError);
    }
    if (length < 0) {
      return null;
    }
    int offset = values.offset(marker.index());
    marker.type().validate(values.segment(), offset, length);
    byte[] value = Bytes.toArray(values.segment(), offset, length);
    CqlType type = marker.type().freeze();
    return CompositeValues.needsReencodingWhenBound(type)
        ? CompositeValues.reencoded(type, value)
        : value;
  }

  /**
   * Calls a function.
   *
   * @throws CqlException INVALID if its arguments are too large: it may copy them several times
   */
  private byte @Nullable [] call(Expression.Call call, List<byte @Nullable []> values) {
    long bytes = 0;
    for (byte[] value : values) {
      bytes += value == null ? 0 : value.length;
    }
    if (bytes > HeapLimits.OF_PROCESS.bytes()) {
      throw CqlException.invalid(
          "The arguments of "
              + call.function().description()
              + " may have at most "
              + HeapLimits.OF_PROCESS.bytes()
              + " bytes, as the heap is limited; raise memory in helenus.yaml");
    }
    out.clear();
    boolean present =
        call.function().execute(FunctionArguments.of(values, argumentBytes), context, out);
    return present ? out.toArray() : null;
  }
}
