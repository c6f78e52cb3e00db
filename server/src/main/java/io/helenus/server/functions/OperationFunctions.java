package io.helenus.server.functions;

import static io.helenus.server.types.ScalarType.ASCII;
import static io.helenus.server.types.ScalarType.DATE;
import static io.helenus.server.types.ScalarType.DURATION;
import static io.helenus.server.types.ScalarType.TEXT;
import static io.helenus.server.types.ScalarType.TIMESTAMP;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The functions behind {@code + - * / %} and the minus sign: {@code _add}, {@code _substract},
 * {@code _multiply}, {@code _divide}, {@code _modulo} and {@code _negate}, names that cannot occur
 * in a statement; the planner looks them up in keyspace system. Stateless.
 */
public final class OperationFunctions {
  /** The function of the unary minus. */
  public static final String NEGATE = "_negate";

  private static final ScalarType[] NUMBERS = {
    ScalarType.TINYINT,
    ScalarType.SMALLINT,
    ScalarType.INT,
    ScalarType.BIGINT,
    ScalarType.FLOAT,
    ScalarType.DOUBLE,
    ScalarType.DECIMAL,
    ScalarType.VARINT,
    ScalarType.COUNTER
  };

  private OperationFunctions() {}

  /** The operators. */
  enum Operator {
    ADD('+'),
    SUBSTRACT('-'),
    MULTIPLY('*'),
    DIVIDE('/'),
    MODULO('%');

    final char symbol;
    final String functionName;

    Operator(char symbol) {
      this.symbol = symbol;
      this.functionName = "_" + name().toLowerCase(Locale.ROOT);
    }
  }

  /** The operator that a function implements; null for any other function. */
  static @Nullable Operator operatorOf(String functionName) {
    for (Operator operator : Operator.values()) {
      if (operator.functionName.equals(functionName)) {
        return operator;
      }
    }
    return null;
  }

  /** Whether values of a type can be added to others of the same type. */
  public static boolean hasSums(CqlType type) {
    return type instanceof ScalarType scalar
        && (isText(scalar) || Arrays.asList(NUMBERS).contains(scalar));
  }

  /**
   * The sum of two values of the same type, as computed by {@code +}. Any thread.
   *
   * @throws CqlException INVALID if a number is empty; FUNCTION_FAILURE if the numbers are too
   *     large
   */
  public static byte[] sum(ScalarType type, byte[] left, byte[] right) {
    ByteWriter out = new ByteWriter(left.length + right.length + 16);
    if (isText(type)) {
      return out.putBytes(left).putBytes(right).toArray();
    }
    if (left.length == 0 || right.length == 0) {
      throw CqlException.invalid("Cannot add an empty value of type " + type.toCql());
    }
    try {
      Number sum =
          Arithmetic.apply(Operator.ADD, type, Numbers.get(type, left), Numbers.get(type, right));
      Numbers.put(type, sum, out);
    } catch (ArithmeticException e) {
      throw failed(Operator.ADD, type, type, String.valueOf(e.getMessage()));
    }
    return out.toArray();
  }

  private static boolean isText(ScalarType type) {
    return type == TEXT || type == ASCII;
  }

  static List<CqlFunction> overloads(String name) {
    if (!name.startsWith("_")) {
      return List.of();
    }
    List<CqlFunction> found = new ArrayList<>();
    if (name.equals(NEGATE)) {
      for (ScalarType type : NUMBERS) {
        found.add(MathFunctions.ofNumber(NEGATE, type, Arithmetic::negate));
      }
    }
    Operator operator = operatorOf(name);
    if (operator != null) {
      addNumbers(operator, found);
      addTexts(operator, found);
      addTimes(operator, found);
    }
    return found;
  }

  private static void addNumbers(Operator operator, List<CqlFunction> found) {
    for (ScalarType left : NUMBERS) {
      for (ScalarType right : NUMBERS) {
        ScalarType result = Arithmetic.resultType(left, right);
        found.add(
            of(
                operator,
                left,
                right,
                result,
                (arguments, context, out) -> {
                  Number a = Numbers.get(left, arguments.getBytes(0));
                  Number b = Numbers.get(right, arguments.getBytes(1));
                  Numbers.put(result, Arithmetic.apply(operator, result, a, b), out);
                  return true;
                }));
      }
    }
  }

  private static void addTexts(Operator operator, List<CqlFunction> found) {
    if (operator != Operator.ADD) {
      return;
    }
    for (ScalarType left : List.of(TEXT, ASCII)) {
      for (ScalarType right : List.of(TEXT, ASCII)) {
        ScalarType result = left == ASCII && right == ASCII ? ASCII : TEXT;
        found.add(of(operator, left, right, result, OperationFunctions::concatenate));
      }
    }
  }

  private static boolean concatenate(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    for (int i = 0; i < 2; i++) {
      out.putBytes(arguments.segment(i), arguments.offset(i), arguments.length(i));
    }
    return true;
  }

  private static void addTimes(Operator operator, List<CqlFunction> found) {
    if (operator != Operator.ADD && operator != Operator.SUBSTRACT) {
      return;
    }
    int sign = operator == Operator.ADD ? 1 : -1;
    for (ScalarType type : List.of(TIMESTAMP, DATE)) {
      found.add(
          of(
              operator,
              type,
              DURATION,
              type,
              (arguments, context, out) -> {
                byte[] moved =
                    DurationArithmetic.add(
                        type, arguments.getBytes(0), arguments.getBytes(1), sign);
                out.putBytes(moved);
                return true;
              }));
    }
  }

  /** A function whose result is null if an argument is null, or is empty and not text. */
  private static ScalarFunction of(
      Operator operator,
      ScalarType left,
      ScalarType right,
      ScalarType result,
      ScalarFunction.Body body) {
    return new ScalarFunction(
        operator.functionName,
        List.of(left, right),
        result,
        true,
        (arguments, context, out) -> {
          if (isNothing(left, arguments.length(0)) || isNothing(right, arguments.length(1))) {
            return false;
          }
          try {
            return body.execute(arguments, context, out);
          } catch (ArithmeticException e) {
            throw failed(operator, left, right, String.valueOf(e.getMessage()));
          }
        });
  }

  private static boolean isNothing(ScalarType type, int length) {
    return length < 0 || (length == 0 && type.isEmptyMeaningless());
  }

  private static CqlException failed(
      Operator operator, ScalarType left, ScalarType right, String reason) {
    String operation = left.toCql() + " " + operator.symbol + " " + right.toCql();
    return new CqlException(
        new CqlError.FunctionFailure(
            "the operation '" + operation + "' failed: " + reason,
            "system",
            operator.functionName,
            List.of(left.toCql(), right.toCql())));
  }
}
