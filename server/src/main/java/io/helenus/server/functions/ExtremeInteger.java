package io.helenus.server.functions;

import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.storage.bytes.ByteWriter;

/**
 * The smallest or the greatest of values that are ordered as signed integers of up to eight bytes,
 * compared without encoding them as keys. An empty value precedes all others. One thread at a time.
 */
final class ExtremeInteger implements AggregateFunction.State {
  private final int sign;
  private long best;
  private int bestLength;
  private boolean any;

  /** Finds the smallest value if the sign is -1, the greatest if it is 1. */
  ExtremeInteger(int sign) {
    this.sign = sign;
  }

  /** Whether values with an encoding as keys are ordered like this. */
  static boolean isFor(KeyEncoding encoding) {
    return encoding == ScalarKeyEncoding.SIGNED_8
        || encoding == ScalarKeyEncoding.SIGNED_16
        || encoding == ScalarKeyEncoding.SIGNED_32
        || encoding == ScalarKeyEncoding.SIGNED_64;
  }

  @Override
  public void reset() {
    any = false;
  }

  @Override
  public void add(FunctionArguments arguments) {
    int length = arguments.length(0);
    if (length < 0) {
      return;
    }
    long value = length == 0 ? 0 : arguments.getInteger(0);
    if (!any || Integer.signum(compareToBest(value, length)) == sign) {
      any = true;
      best = value;
      bestLength = length;
    }
  }

  private int compareToBest(long value, int length) {
    return length == 0 || bestLength == 0
        ? Integer.compare(length, bestLength)
        : Long.compare(value, best);
  }

  @Override
  public boolean result(ByteWriter out) {
    if (!any) {
      return false;
    }
    switch (bestLength) {
      case 0 -> {}
      case Byte.BYTES -> out.putByte((int) best);
      case Short.BYTES -> out.putShort((int) best);
      case Integer.BYTES -> out.putInt((int) best);
      default -> out.putLong(best);
    }
    return true;
  }
}
