package io.helenus.server.query.selection;

import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.query.value.Expression;
import java.util.List;

/** An aggregate of a selection and what each row gives it. Immutable. */
public record AggregateCall(AggregateFunction function, List<Expression> arguments) {
  /** Copies the list. */
  public AggregateCall {
    arguments = List.copyOf(arguments);
  }
}
