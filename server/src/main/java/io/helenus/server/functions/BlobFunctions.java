package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code int_as_blob}, {@code blob_as_int} and so on for every scalar but blob, with their former
 * names {@code intasblob} and {@code blobasint}. Stateless.
 */
final class BlobFunctions {
  private BlobFunctions() {}

  static List<CqlFunction> overloads(String name) {
    ScalarType from = before(name, "_as_blob", "asblob");
    if (from != null) {
      return List.of(
          ScalarFunction.ofValues(name, from, ScalarType.BLOB, BlobFunctions::copyArgument));
    }
    ScalarType to = after(name, "blob_as_", "blobas");
    return to == null ? List.of() : List.of(fromBlob(name, to));
  }

  private static @Nullable ScalarType before(String name, String suffix, String oldSuffix) {
    if (name.endsWith(suffix)) {
      return scalar(name.substring(0, name.length() - suffix.length()));
    }
    return name.endsWith(oldSuffix)
        ? scalar(name.substring(0, name.length() - oldSuffix.length()))
        : null;
  }

  private static @Nullable ScalarType after(String name, String prefix, String oldPrefix) {
    if (name.startsWith(prefix)) {
      return scalar(name.substring(prefix.length()));
    }
    return name.startsWith(oldPrefix) ? scalar(name.substring(oldPrefix.length())) : null;
  }

  private static @Nullable ScalarType scalar(String typeName) {
    ScalarType type = ScalarType.named(typeName);
    return type == ScalarType.BLOB || type == ScalarType.EMPTY ? null : type;
  }

  private static boolean copyArgument(
      FunctionArguments arguments, FunctionContext context, ByteWriter out) {
    out.putBytes(arguments.segment(0), arguments.offset(0), arguments.length(0));
    return true;
  }

  private static ScalarFunction fromBlob(String name, CqlType to) {
    int prefixLength = (name.startsWith("blob_as_") ? "blob_as_" : "blobas").length();
    return ScalarFunction.ofValues(
        name,
        ScalarType.BLOB,
        to,
        (arguments, context, out) -> {
          try {
            to.validate(arguments.segment(0), arguments.offset(0), arguments.length(0));
          } catch (CqlException e) {
            throw CqlException.invalid(
                "In call to function system."
                    + name
                    + ", value 0x"
                    + HexFormat.of().formatHex(arguments.getBytes(0))
                    + " is not a valid binary representation for type "
                    + name.substring(prefixLength));
          }
          return copyArgument(arguments, context, out);
        });
  }
}
