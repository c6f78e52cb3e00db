package io.helenus.server.functions;

import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import java.util.ArrayList;
import java.util.List;

/** {@code token}: its arguments are the columns of a partition key, in order. Stateless. */
final class TokenFunction {
  private TokenFunction() {}

  static ScalarFunction of(PartitionKeyTypes key) {
    return new ScalarFunction(
        "token",
        key.types(),
        ScalarType.BIGINT,
        true,
        key.hasCanonical()
            ? (arguments, context, out) -> execute(canonical(key, arguments), context, out)
            : TokenFunction::execute);
  }

  /** The arguments as they are in keys, if none is null. */
  private static FunctionArguments canonical(PartitionKeyTypes key, FunctionArguments arguments) {
    if (arguments.anyNull()) {
      return arguments;
    }
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < arguments.count(); i++) {
      values.add(Bytes.toArray(arguments.segment(i), arguments.offset(i), arguments.length(i)));
    }
    return FunctionArguments.of(List.copyOf(key.canonical(values)));
  }

  private static boolean execute(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    if (arguments.anyNull()) {
      return false;
    }
    if (arguments.count() == 1) {
      out.putLong(Murmur3.token(arguments.segment(0), arguments.offset(0), arguments.length(0)));
      return true;
    }
    int start = out.size();
    for (int i = 0; i < arguments.count(); i++) {
      PartitionKeys.validateLength(arguments.length(i));
      PartitionKeys.putComponent(
          arguments.segment(i), arguments.offset(i), arguments.length(i), out);
    }
    long token = Murmur3.token(out.segment(), start, out.size() - start);
    out.truncate(start).putLong(token);
    return true;
  }
}
