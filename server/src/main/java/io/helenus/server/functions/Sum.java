package io.helenus.server.functions;

import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The sum of numbers, in their own type: integers wrap around; 0 if there are no rows. One thread
 * at a time.
 */
final class Sum implements AggregateFunction.State {
  private final ScalarType type;
  private final CompensatedSum floating = new CompensatedSum();
  private long integers;
  private BigInteger varints = BigInteger.ZERO;
  private BigDecimal decimals = BigDecimal.ZERO;

  Sum(ScalarType type) {
    this.type = type;
  }

  @Override
  public void reset() {
    floating.reset();
    integers = 0;
    varints = BigInteger.ZERO;
    decimals = BigDecimal.ZERO;
  }

  @Override
  public void add(FunctionArguments arguments) {
    if (arguments.length(0) <= 0) {
      return;
    }
    if (Numbers.isInteger(type)) {
      integers += arguments.getInteger(0);
      return;
    }
    Number number = Numbers.get(type, arguments.getBytes(0));
    switch (number) {
      case BigInteger varint -> varints = varints.add(varint);
      case BigDecimal decimal -> {
        Numbers.requireNear(decimals, decimal);
        decimals = decimals.add(decimal);
      }
      default -> floating.add(number.doubleValue());
    }
  }

  @Override
  public boolean result(ByteWriter out) {
    Number number =
        switch (type) {
          case VARINT -> varints;
          case DECIMAL -> decimals;
          case FLOAT, DOUBLE -> floating.sum();
          default -> integers;
        };
    Numbers.put(type, number, out);
    return true;
  }
}
