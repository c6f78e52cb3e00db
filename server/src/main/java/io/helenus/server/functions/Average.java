package io.helenus.server.functions;

import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The average of numbers, in their own type; 0 if there are no rows. Integers are truncated towards
 * zero. The average of decimals is updated with each value and rounded half even to its scale, as
 * in Cassandra, so it depends on the order of the rows. One thread at a time.
 */
final class Average implements AggregateFunction.State {
  private final ScalarType type;
  private final CompensatedSum floating = new CompensatedSum();
  private BigDecimal overflowed = BigDecimal.ZERO;
  private boolean overflow;
  // the sum of the integers that are not in integers yet
  private long recent;
  private BigInteger integers = BigInteger.ZERO;
  private BigDecimal decimals = BigDecimal.ZERO;
  private int count;

  Average(ScalarType type) {
    this.type = type;
  }

  @Override
  public void reset() {
    floating.reset();
    overflow = false;
    recent = 0;
    integers = BigInteger.ZERO;
    decimals = BigDecimal.ZERO;
    count = 0;
  }

  @Override
  public void add(FunctionArguments arguments) {
    if (arguments.length(0) <= 0) {
      return;
    }
    count++;
    if (Numbers.isInteger(type)) {
      addInteger(arguments.getInteger(0));
      return;
    }
    Number number = Numbers.get(type, arguments.getBytes(0));
    switch (number) {
      case BigInteger varint -> integers = integers.add(varint);
      case BigDecimal decimal -> addDecimal(decimal);
      default -> addFloating(number.doubleValue());
    }
  }

  private void addInteger(long value) {
    long sum = recent + value;
    boolean overflows = ((recent ^ sum) & (value ^ sum)) < 0;
    if (overflows) {
      integers = integers.add(BigInteger.valueOf(recent));
      recent = value;
    } else {
      recent = sum;
    }
  }

  private BigInteger integerAverage() {
    return count == 0
        ? BigInteger.ZERO
        : integers.add(BigInteger.valueOf(recent)).divide(BigInteger.valueOf(count));
  }

  private void addDecimal(BigDecimal value) {
    Numbers.requireNear(decimals, value);
    BigDecimal step =
        value.subtract(decimals).divide(BigDecimal.valueOf(count), RoundingMode.HALF_EVEN);
    decimals = decimals.add(step);
  }

  /** Adds to a double; once the sum overflows, it is continued as a decimal. */
  private void addFloating(double value) {
    if (overflow) {
      overflowed = overflowed.add(BigDecimal.valueOf(value));
      return;
    }
    double before = floating.plain();
    floating.add(value);
    if (Double.isInfinite(floating.plain())
        && !Double.isInfinite(value)
        && !Double.isInfinite(before)) {
      overflow = true;
      overflowed = BigDecimal.valueOf(before).add(BigDecimal.valueOf(value));
    }
  }

  @Override
  public boolean result(ByteWriter out) {
    Number number =
        switch (type) {
          case FLOAT, DOUBLE -> floatingAverage();
          case DECIMAL -> decimals;
          default -> integerAverage();
        };
    Numbers.put(type, number, out);
    return true;
  }

  private double floatingAverage() {
    if (count == 0) {
      return 0;
    }
    return overflow
        ? overflowed.divide(BigDecimal.valueOf(count), RoundingMode.HALF_EVEN).doubleValue()
        : floating.sum() / count;
  }
}
