package io.helenus.server.functions;

import io.helenus.server.types.ScalarType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Arithmetic of two numbers in the result type: the wider of the two, floating-point if either is.
 * Integers wrap around. Stateless.
 */
final class Arithmetic {
  private static final MathContext DECIMAL_LIMIT = new MathContext(10_000);
  private static final int QUOTIENT_DIGITS = 32;
  private static final int QUOTIENT_SCALE_LIMIT = 1_000;
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  private Arithmetic() {}

  static ScalarType resultType(ScalarType left, ScalarType right) {
    int bytes = Math.max(bytes(left), bytes(right));
    if (isFloating(left) || isFloating(right)) {
      return bytes <= 4 ? ScalarType.FLOAT : bytes == 8 ? ScalarType.DOUBLE : ScalarType.DECIMAL;
    }
    return switch (bytes) {
      case 1 -> ScalarType.TINYINT;
      case 2 -> ScalarType.SMALLINT;
      case 4 -> ScalarType.INT;
      case 8 -> ScalarType.BIGINT;
      default -> ScalarType.VARINT;
    };
  }

  private static int bytes(ScalarType type) {
    return switch (type) {
      case TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, FLOAT -> 4;
      case BIGINT, COUNTER, DOUBLE -> 8;
      default -> UNBOUNDED;
    };
  }

  private static boolean isFloating(ScalarType type) {
    return type == ScalarType.FLOAT || type == ScalarType.DOUBLE || type == ScalarType.DECIMAL;
  }

  static Number negate(Number number) {
    return switch (number) {
      case BigInteger big -> big.negate();
      case BigDecimal decimal -> decimal.negate();
      case Float small -> -small;
      case Double large -> -large;
      default -> -number.longValue();
    };
  }

  static Number apply(OperationFunctions.Operator operator, ScalarType result, Number a, Number b) {
    return switch (result) {
      case FLOAT -> floats(operator, a.floatValue(), b.floatValue());
      case DOUBLE -> doubles(operator, a.doubleValue(), b.doubleValue());
      case DECIMAL -> decimals(operator, decimal(a), decimal(b));
      case VARINT -> varints(operator, Numbers.toVarint(a), Numbers.toVarint(b));
      default -> integers(operator, a.longValue(), b.longValue());
    };
  }

  /** Numbers of up to eight bytes become decimals through doubles, as in Cassandra. */
  private static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal decimal -> decimal;
      case BigInteger big -> new BigDecimal(big);
      default -> {
        double value = number.doubleValue();
        if (Double.isNaN(value)) {
          throw new ArithmeticException("A NaN cannot be converted into a decimal");
        }
        if (Double.isInfinite(value)) {
          throw new ArithmeticException("An infinite number cannot be converted into a decimal");
        }
        yield Numbers.toDecimal(value);
      }
    };
  }

  private static long integers(OperationFunctions.Operator operator, long a, long b) {
    if (b == 0
        && (operator == OperationFunctions.Operator.DIVIDE
            || operator == OperationFunctions.Operator.MODULO)) {
      // the virtual machine's own exception loses its message when it is raised often
      throw new ArithmeticException("/ by zero");
    }
    return switch (operator) {
      case ADD -> a + b;
      case SUBSTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case MODULO -> a % b;
    };
  }

  private static float floats(OperationFunctions.Operator operator, float a, float b) {
    return switch (operator) {
      case ADD -> a + b;
      case SUBSTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case MODULO -> a % b;
    };
  }

  private static double doubles(OperationFunctions.Operator operator, double a, double b) {
    return switch (operator) {
      case ADD -> a + b;
      case SUBSTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case MODULO -> a % b;
    };
  }

  private static BigInteger varints(
      OperationFunctions.Operator operator, BigInteger a, BigInteger b) {
    return switch (operator) {
      case ADD -> a.add(b);
      case SUBSTRACT -> a.subtract(b);
      case MULTIPLY -> a.multiply(b);
      case DIVIDE -> a.divide(b);
      case MODULO -> a.remainder(b);
    };
  }

  private static BigDecimal decimals(
      OperationFunctions.Operator operator, BigDecimal a, BigDecimal b) {
    if (operator == OperationFunctions.Operator.DIVIDE
        || operator == OperationFunctions.Operator.MODULO) {
      Numbers.requireNear(a, b);
    }
    return switch (operator) {
      case ADD -> a.add(b, DECIMAL_LIMIT);
      case SUBSTRACT -> a.subtract(b, DECIMAL_LIMIT);
      case MULTIPLY -> a.multiply(b, DECIMAL_LIMIT);
      case DIVIDE -> quotient(a, b);
      case MODULO -> a.remainder(b);
    };
  }

  /** Divides to at least 32 digits, rounded half up, without trailing zeros. */
  private static BigDecimal quotient(BigDecimal a, BigDecimal b) {
    int firstDigit = (a.precision() - a.scale()) - (b.precision() - b.scale());
    int scale = Math.max(QUOTIENT_DIGITS - firstDigit, Math.max(a.scale(), b.scale()));
    int bounded = Math.min(Math.max(scale, QUOTIENT_DIGITS), QUOTIENT_SCALE_LIMIT);
    return a.divide(b, bounded, RoundingMode.HALF_UP).stripTrailingZeros();
  }
}
