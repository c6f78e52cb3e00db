package io.helenus.server.functions;

import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scalar function. Immutable; any thread, but each {@link FunctionContext} by one thread at a
 * time.
 *
 * @param name without keyspace
 * @param argumentTypes types of the arguments
 * @param returnType type of the result
 * @param deterministic whether equal arguments give equal results, so that a call of constants may
 *     be evaluated once
 * @param body the implementation
 */
public record ScalarFunction(
    String name, List<CqlType> argumentTypes, CqlType returnType, boolean deterministic, Body body)
    implements CqlFunction {

  /** The implementation of a function on wire bytes. */
  @FunctionalInterface
  public interface Body {
    /**
     * Appends the result.
     *
     * @return false if the result is null and nothing was appended
     */
    boolean execute(FunctionArguments arguments, FunctionContext context, ByteWriter out);
  }

  /** Keeps an immutable copy. */
  public ScalarFunction {
    argumentTypes = List.copyOf(argumentTypes);
  }

  /** A function whose result is null when any argument is. */
  static ScalarFunction ofValues(String name, CqlType argumentType, CqlType returnType, Body body) {
    return new ScalarFunction(
        name,
        List.of(argumentType),
        returnType,
        true,
        (arguments, context, out) -> !arguments.anyNull() && body.execute(arguments, context, out));
  }

  /**
   * Appends the result of a call.
   *
   * @return false if the result is null and nothing was appended
   */
  public boolean execute(FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    return body.execute(arguments, context, out);
  }

  /** As {@link #execute(FunctionArguments, FunctionContext, ByteWriter)}, for cold paths. */
  public byte @Nullable [] execute(FunctionContext context, List<byte @Nullable []> values) {
    ByteWriter out = new ByteWriter(64);
    return execute(FunctionArguments.of(values), context, out) ? out.toArray() : null;
  }

  /** The function or operator for error texts: {@code function system.now}, {@code operation +}. */
  public String description() {
    OperationFunctions.Operator operator = OperationFunctions.operatorOf(name);
    return operator == null ? "function " + displayName() : "operation " + operator.symbol;
  }

  @Override
  public String columnName(List<String> argumentTexts) {
    OperationFunctions.Operator operator = OperationFunctions.operatorOf(name);
    if (operator != null) {
      return argumentTexts.get(0) + " " + operator.symbol + " " + argumentTexts.get(1);
    }
    if (name.equals(OperationFunctions.NEGATE)) {
      return "-" + argumentTexts.get(0);
    }
    String joined = String.join(", ", argumentTexts);
    return name.startsWith(CastFunctions.PREFIX)
        ? "cast(" + joined + " as " + name.substring(CastFunctions.PREFIX.length()) + ")"
        : qualifiedName() + "(" + joined + ")";
  }
}
