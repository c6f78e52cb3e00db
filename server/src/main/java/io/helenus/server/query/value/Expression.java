package io.helenus.server.query.value;

import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.types.CqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that is worked out when a statement runs: over bound values, and in a selection over the
 * columns of a row and the aggregates of a group. Immutable.
 */
public sealed interface Expression {
  /** The type of the value. */
  CqlType type();

  /** Known since planning. */
  record Constant(byte @Nullable [] value, CqlType type) implements Expression {}

  /**
   * Bound to a marker.
   *
   * @param function the function that takes it, for the error text
   */
  record Marker(int index, CqlType type, String function) implements Expression {}

  /** One of the selection's inputs. */
  record Input(int index, CqlType type) implements Expression {}

  /** The result of one of the selection's aggregates. */
  record Aggregate(int index, CqlType type) implements Expression {}

  /** A function's result. */
  record Call(ScalarFunction function, List<Expression> arguments) implements Expression {
    /** Copies the list. */
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public CqlType type() {
      return function.returnType();
    }
  }
}
