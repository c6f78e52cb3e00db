package io.helenus.server.functions;

import io.helenus.server.types.CqlType;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import java.util.List;

/** {@code token}: its arguments are the columns of a partition key, in order. Stateless. */
final class TokenFunction {
  private TokenFunction() {}

  static ScalarFunction of(List<CqlType> partitionKeyTypes) {
    return new ScalarFunction(
        "token", partitionKeyTypes, ScalarType.BIGINT, true, TokenFunction::execute);
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
