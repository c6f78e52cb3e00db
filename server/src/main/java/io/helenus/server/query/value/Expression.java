package io.helenus.server.query.value;

import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.types.CqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed when a statement runs: from bound values and, in a selection, from the
 * columns of a row and the aggregates of a group. Immutable; any thread.
 */
public sealed interface Expression {
  /** The type of the value. */
  CqlType type();

  /** Whether it calls a function, such as {@code uuid()}, whose results vary. */
  default boolean varies() {
    return switch (this) {
      case Constant ignored -> false;
      case Marker ignored -> false;
      case Input ignored -> false;
      case Aggregate ignored -> false;
      case Composed composed -> composed.parts().stream().anyMatch(Expression::varies);
      case Call call ->
          !call.function().deterministic()
              || call.arguments().stream().anyMatch(Expression::varies);
    };
  }

  /**
   * A value known at planning.
   *
   * @param value in wire format; null for NULL
   */
  record Constant(byte @Nullable [] value, CqlType type) implements Expression {}

  /**
   * A bound value.
   *
   * @param index the index of the marker
   * @param unsetError the error text if the value is unset; null if unset counts as null
   */
  record Marker(int index, CqlType type, @Nullable String unsetError) implements Expression {
    /** A marker that is an argument of a function. */
    public static Marker ofArgument(int index, CqlType type, String function) {
      return new Marker(
          index, type, "Invalid unset value for argument in call to function " + function);
    }
  }

  /**
   * A collection, tuple, user type or vector assembled from its parts; for a map, keys and values
   * alternate.
   */
  record Composed(CqlType type, List<Expression> parts) implements Expression {
    /** Copies the list. */
    public Composed {
      parts = List.copyOf(parts);
    }
  }

  /** An input of the selection: the value of a column, or its timestamp or time to live. */
  record Input(int index, CqlType type) implements Expression {}

  /** The result of an aggregate of the selection. */
  record Aggregate(int index, CqlType type) implements Expression {}

  /** The result of a function. */
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
