package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** Exponential and logarithms of decimals to 32 digits, rounded half up. Stateless. */
final class DecimalMath {
  private static final MathContext RESULT = new MathContext(32, RoundingMode.HALF_UP);
  private static final MathContext WORK = new MathContext(60, RoundingMode.HALF_EVEN);

  /** A number with more integral digits has an exponential that no decimal can represent. */
  private static final int EXPONENT_DIGITS = 10;

  private static final BigDecimal TWO = BigDecimal.valueOf(2);
  private static final BigDecimal SMALLEST_TERM = BigDecimal.ONE.movePointLeft(62);

  private DecimalMath() {}

  static BigDecimal exp(BigDecimal x) {
    if (x.signum() == 0) {
      return BigDecimal.ONE;
    }
    if ((long) x.precision() - x.scale() > EXPONENT_DIGITS) {
      throw CqlException.server(
          "java.lang.ArithmeticException: " + (x.signum() > 0 ? "Overflow" : "Underflow"));
    }
    try {
      return workExp(x).round(RESULT);
    } catch (ArithmeticException e) {
      throw CqlException.server("java.lang.ArithmeticException: " + e.getMessage());
    }
  }

  static BigDecimal log(BigDecimal x) {
    return workLog(x).round(RESULT);
  }

  /**
   * Powers of ten have integral results; their trailing zeros depend on the scale of the argument,
   * as recorded from Cassandra.
   */
  static BigDecimal log10(BigDecimal x) {
    BigDecimal result = workLog(x).divide(workLog(BigDecimal.TEN), WORK).round(RESULT);
    if (result.signum() == 0) {
      return new BigDecimal(BigInteger.ZERO, -33);
    }
    if (x.scale() >= 0 && result.precision() < RESULT.getPrecision()) {
      return result.stripTrailingZeros();
    }
    return result.setScale(result.scale() + RESULT.getPrecision() - result.precision());
  }

  /** Halves the argument until the series converges fast, then squares the result as many times. */
  private static BigDecimal workExp(BigDecimal x) {
    int halvings = Math.max(0, x.precision() - x.scale() + 1) * 4 + 8;
    BigDecimal small = x.divide(new BigDecimal(BigInteger.ONE.shiftLeft(halvings)), WORK);
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    for (int i = 1; term.abs().compareTo(SMALLEST_TERM) > 0; i++) {
      term = term.multiply(small, WORK).divide(BigDecimal.valueOf(i), WORK);
      sum = sum.add(term, WORK);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, WORK);
    }
    return sum;
  }

  /**
   * Splits x into m × 10^e with m near 1 and uses the series of the inverse hyperbolic tangent for
   * m.
   */
  private static BigDecimal workLog(BigDecimal x) {
    int exponent = x.precision() - x.scale() - 1;
    BigDecimal mantissa = x.movePointLeft(exponent);
    BigDecimal log = nearOne(mantissa);
    if (exponent != 0) {
      log = log.add(nearOne(BigDecimal.TEN).multiply(BigDecimal.valueOf(exponent), WORK), WORK);
    }
    return log;
  }

  /** The logarithm of a number from 1 to 10; four square roots first bring it near 1. */
  private static BigDecimal nearOne(BigDecimal x) {
    BigDecimal root = x;
    for (int i = 0; i < 4; i++) {
      root = root.sqrt(WORK);
    }
    BigDecimal ratio = root.subtract(BigDecimal.ONE).divide(root.add(BigDecimal.ONE), WORK);
    BigDecimal square = ratio.multiply(ratio, WORK);
    BigDecimal power = ratio;
    BigDecimal sum = ratio;
    for (int i = 3; power.abs().compareTo(SMALLEST_TERM) > 0; i += 2) {
      power = power.multiply(square, WORK);
      sum = sum.add(power.divide(BigDecimal.valueOf(i), WORK), WORK);
    }
    return sum.multiply(TWO.pow(5), WORK);
  }
}
