package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.ScalarType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** {@code abs}, {@code exp}, {@code log}, {@code log10} and {@code round} of numbers. Stateless. */
final class MathFunctions {
  private static final ScalarType[] NUMBERS = {
    ScalarType.TINYINT,
    ScalarType.SMALLINT,
    ScalarType.INT,
    ScalarType.BIGINT,
    ScalarType.FLOAT,
    ScalarType.DOUBLE,
    ScalarType.VARINT,
    ScalarType.DECIMAL,
    ScalarType.COUNTER
  };

  private MathFunctions() {}

  static List<CqlFunction> overloads(String name) {
    return switch (name) {
      case "abs" -> ofEveryNumber(name, MathFunctions::abs);
      case "exp" -> ofEveryNumber(name, MathFunctions::exp);
      case "log" -> ofEveryNumber(name, MathFunctions::log);
      case "log10" -> ofEveryNumber(name, MathFunctions::log10);
      case "round" -> ofEveryNumber(name, MathFunctions::round);
      default -> List.of();
    };
  }

  private static List<CqlFunction> ofEveryNumber(String name, UnaryOperator<Number> operation) {
    List<CqlFunction> found = new ArrayList<>(NUMBERS.length);
    for (ScalarType type : NUMBERS) {
      found.add(ofNumber(name, type, operation));
    }
    return found;
  }

  /** A function from a number to a number of the same type; null for an empty value. */
  static ScalarFunction ofNumber(String name, ScalarType type, UnaryOperator<Number> operation) {
    return ScalarFunction.ofValues(
        name,
        type,
        type,
        (arguments, context, out) -> {
          if (arguments.length(0) == 0) {
            return false;
          }
          Number value = Numbers.get(type, arguments.getBytes(0));
          Numbers.put(type, operation.apply(value), out);
          return true;
        });
  }

  private static Number abs(Number number) {
    return switch (number) {
      case BigInteger big -> big.abs();
      case BigDecimal decimal -> decimal.abs();
      case Float small -> Math.abs(small);
      case Double large -> Math.abs(large);
      case Integer small -> Math.abs(small);
      default -> Math.abs(number.longValue());
    };
  }

  private static Number exp(Number number) {
    return switch (number) {
      case BigInteger big -> {
        BigDecimal result = DecimalMath.exp(new BigDecimal(big));
        if (result.compareTo(BigDecimal.ONE) > 0) {
          Numbers.requireNear(result, BigDecimal.ONE);
        }
        yield result.compareTo(BigDecimal.ONE) < 0 ? BigInteger.ZERO : result.toBigInteger();
      }
      case BigDecimal decimal -> DecimalMath.exp(decimal);
      default -> toInteger(number, Math.exp(number.doubleValue()));
    };
  }

  private static Number log(Number number) {
    return switch (number) {
      case BigInteger big ->
          DecimalMath.log(positive(new BigDecimal(big), "Natural log")).toBigInteger();
      case BigDecimal decimal -> DecimalMath.log(positive(decimal, "Natural log"));
      default -> toInteger(number, Math.log(number.doubleValue()));
    };
  }

  private static Number log10(Number number) {
    return switch (number) {
      case BigInteger big ->
          DecimalMath.log10(positive(new BigDecimal(big), "Log10")).toBigInteger();
      case BigDecimal decimal -> DecimalMath.log10(positive(decimal, "Log10"));
      default -> toInteger(number, Math.log10(number.doubleValue()));
    };
  }

  private static Number round(Number number) {
    return switch (number) {
      case BigDecimal decimal -> {
        Numbers.requireNear(decimal, BigDecimal.ONE);
        yield decimal.setScale(0, RoundingMode.HALF_UP);
      }
      case Float small -> (float) Math.round(small);
      case Double large -> (double) Math.round(large);
      default -> number;
    };
  }

  /** Narrows to a long for a bigint argument and to an int for smaller types, as casts do. */
  private static Number toInteger(Number argument, double result) {
    return switch (argument) {
      case Long large -> (long) result;
      case Integer small -> (int) result;
      case Short small -> (int) result;
      case Byte small -> (int) result;
      default -> result;
    };
  }

  private static BigDecimal positive(BigDecimal number, String function) {
    if (number.signum() <= 0) {
      // Cassandra returns a server error here too.
      throw CqlException.server(
          "java.lang.ArithmeticException: " + function + " of number zero or less");
    }
    return number;
  }
}
