package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of vectors: the elements, each preceded by its length as an unsigned vint unless all
 * values of the element type have the same length. Stateless.
 */
final class VectorValues {
  private VectorValues() {}

  /**
   * Assembles a value.
   *
   * @throws CqlException INVALID for an element that is null, or empty unless its type has an empty
   *     value that is not null
   */
  static byte[] of(VectorType type, List<? extends byte @Nullable []> elements) {
    ByteWriter out = new ByteWriter(64);
    boolean sized = type.element().fixedBytes() < 0;
    for (byte[] element : elements) {
      if (element == null || (element.length == 0 && !hasEmptyValue(type.element()))) {
        throw CqlException.invalid("null is not supported inside vectors");
      }
      if (sized) {
        Vints.put(element.length, out);
      }
      out.putBytes(element);
    }
    return out.toArray();
  }

  private static boolean hasEmptyValue(CqlType type) {
    return type == ScalarType.TEXT
        || type == ScalarType.ASCII
        || type == ScalarType.BLOB
        || type == ScalarType.EMPTY
        || type instanceof TupleType
        || type instanceof UserType;
  }

  static void validate(VectorType type, MemorySegment value, long offset, int length) {
    if (length == 0) {
      throw CqlException.invalid("Invalid empty vector value");
    }
    int elementBytes = type.element().fixedBytes();
    if (length < (long) elementBytes * type.dimension()) {
      throw tooShort(type);
    }
    long end = offset + length;
    long at = offset;
    for (int i = 0; i < type.dimension(); i++) {
      int bytes = elementBytes;
      if (bytes < 0) {
        long start = Vints.end(value, at, end);
        long size = start > end ? Long.MAX_VALUE : Vints.get(value, at);
        at = start;
        bytes = (int) Math.min(size, Integer.MAX_VALUE);
      }
      if (end - at < bytes) {
        throw tooShort(type);
      }
      type.element().validatePart(value, at, bytes);
      at += bytes;
    }
    if (at < end) {
      throw CqlException.invalid(
          "Unexpected " + (end - at) + " extraneous bytes after " + type.toCql() + " value");
    }
  }

  private static CqlException tooShort(VectorType type) {
    return CqlException.invalid("Not enough bytes to read a " + type.toCql());
  }

  static String literal(VectorType type, byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    List<String> texts = new ArrayList<>();
    for (byte[] element : elements(type, value)) {
      texts.add(type.element().toLiteral(element));
    }
    return "[" + String.join(", ", texts) + "]";
  }

  /** The elements of a valid value. */
  static List<byte[]> elements(VectorType type, byte[] value) {
    MemorySegment bytes = new ByteWriter(value.length).putBytes(value).segment();
    int elementBytes = type.element().fixedBytes();
    List<byte[]> elements = new ArrayList<>(type.dimension());
    int at = 0;
    for (int i = 0; i < type.dimension(); i++) {
      int length = elementBytes;
      if (length < 0) {
        length = (int) Vints.get(bytes, at);
        at = (int) Vints.end(bytes, at, value.length);
      }
      elements.add(java.util.Arrays.copyOfRange(value, at, at + length));
      at += length;
    }
    return elements;
  }
}
