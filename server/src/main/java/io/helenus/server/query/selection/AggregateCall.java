package io.helenus.server.query.selection;

import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.query.value.Expression;
import java.util.List;

/** A call of an aggregate in a selection, with its arguments. Immutable. */
public record AggregateCall(AggregateFunction function, List<Expression> arguments) {
  /** Copies the list. */
  public AggregateCall {
    arguments = List.copyOf(arguments);
  }
}
