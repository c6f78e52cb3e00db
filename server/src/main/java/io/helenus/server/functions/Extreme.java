package io.helenus.server.functions;

import io.helenus.server.types.KeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;

/** The smallest or the greatest value, in the order of keys. One thread at a time. */
final class Extreme implements AggregateFunction.State {
  private final KeyEncoding encoding;
  private final int sign;
  private final ByteWriter best = new ByteWriter(32);
  private ByteWriter bestKey = new ByteWriter(32);
  private ByteWriter nextKey = new ByteWriter(32);
  private boolean any;

  Extreme(KeyEncoding encoding, int sign) {
    this.encoding = encoding;
    this.sign = sign;
  }

  @Override
  public void reset() {
    any = false;
  }

  @Override
  public void add(FunctionArguments arguments) {
    if (arguments.isNull(0)) {
      return;
    }
    encoding.write(
        arguments.segment(0), arguments.offset(0), arguments.length(0), false, nextKey.clear());
    boolean better =
        !any
            || Integer.signum(
                    Bytes.compare(
                        nextKey.segment(), 0, nextKey.size(), bestKey.segment(), 0, bestKey.size()))
                == sign;
    if (better) {
      ByteWriter worse = bestKey;
      bestKey = nextKey;
      nextKey = worse;
      best.clear().putBytes(arguments.segment(0), arguments.offset(0), arguments.length(0));
      any = true;
    }
  }

  @Override
  public boolean result(ByteWriter out) {
    if (any) {
      out.putBytes(best.segment(), 0, best.size());
    }
    return any;
  }
}
