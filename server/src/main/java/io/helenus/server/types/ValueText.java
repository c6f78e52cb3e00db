package io.helenus.server.types;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/**
 * The text of a value in schema tables, as Cassandra writes it: the elements of a tuple or user
 * type are separated by colons, with {@code @} for null; collections, vectors and blobs are
 * hexadecimal. Stateless.
 */
public final class ValueText {
  private ValueText() {}

  /** The text of a valid value. */
  public static String of(CqlType type, byte[] value) {
    return switch (type) {
      case ScalarType scalar when scalar != ScalarType.BLOB -> scalar.toText(value);
      case TupleType tuple -> ofParts(tuple.elements(), value);
      case UserType user -> ofParts(user.fieldTypes(), value);
      case ScalarType _, CollectionType _, VectorType _, CustomType _ ->
          HexFormat.of().formatHex(value);
    };
  }

  private static String ofParts(List<CqlType> types, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < types.size() && in.hasRemaining(); i++) {
      out.append(i == 0 ? "" : ":");
      int length = in.getInt();
      if (length < 0) {
        out.append('@');
        continue;
      }
      byte[] part = new byte[length];
      in.get(part);
      out.append(of(types.get(i), part).replace(":", "\\:").replace("@", "\\@"));
    }
    return out.toString();
  }
}
