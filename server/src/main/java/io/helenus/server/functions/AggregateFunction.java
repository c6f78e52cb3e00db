package io.helenus.server.functions;

import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import java.util.function.Supplier;

/**
 * An aggregate function. Immutable; any thread.
 *
 * @param name without keyspace
 * @param argumentTypes types of the arguments
 * @param returnType type of the result
 * @param states creates the state that accumulates a group of rows
 */
public record AggregateFunction(
    String name, List<CqlType> argumentTypes, CqlType returnType, Supplier<State> states)
    implements CqlFunction {

  /** Accumulates one group of rows. One thread at a time. */
  public interface State {
    /** Discards all rows. */
    void reset();

    /** Adds the values of a row. */
    void add(FunctionArguments arguments);

    /**
     * Appends the result for the rows so far.
     *
     * @return false if the result is null and nothing was appended
     */
    boolean result(ByteWriter out);
  }

  /** Keeps an immutable copy. */
  public AggregateFunction {
    argumentTypes = List.copyOf(argumentTypes);
  }

  /** Creates the state of a new group. */
  public State newState() {
    return states.get();
  }

  @Override
  public String columnName(List<String> argumentTexts) {
    return argumentTypes.isEmpty()
        ? "count"
        : qualifiedName() + "(" + String.join(", ", argumentTexts) + ")";
  }
}
