package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shared by the types with component types: names, validation, literals. Stateless. */
final class Structures {
  private static final String IMPLIED = "implied";

  private Structures() {}

  static String frozen(String text, boolean frozen) {
    return frozen ? "frozen<" + text + ">" : text;
  }

  static String join(List<CqlType> types) {
    StringBuilder out = new StringBuilder();
    for (CqlType type : types) {
      out.append(out.isEmpty() ? "" : ", ").append(type.toCql());
    }
    return out.toString();
  }

  static String className(String simpleName, boolean frozen, CqlType... parts) {
    StringBuilder out = new StringBuilder(ScalarType.CLASS_PREFIX).append(simpleName);
    for (int i = 0; i < parts.length; i++) {
      out.append(i == 0 ? '(' : ',').append(parts[i].className());
    }
    out.append(')');
    return frozen ? ScalarType.CLASS_PREFIX + "FrozenType(" + out + ")" : out.toString();
  }

  /** A class name without FrozenType in frozen types and tuples. */
  static String withoutInnerFrozen(String className) {
    String frozen = ScalarType.CLASS_PREFIX + "FrozenType(";
    if (className.indexOf(frozen) < 0) {
      return className;
    }
    StringBuilder out = new StringBuilder(className.length());
    List<String> open = new ArrayList<>(); // what each open parenthesis belongs to
    int implied = 0; // how many of them freeze what they enclose
    for (int at = 0; at < className.length(); at++) {
      char c = className.charAt(at);
      if (c == 'o' && implied > 0 && className.startsWith(frozen, at)) {
        open.add(IMPLIED);
        at += frozen.length() - 1;
        continue;
      }
      String closed = c == ')' ? open.removeLast() : "";
      if (c == '(') {
        String name = out.substring(out.lastIndexOf(".") + 1);
        open.add(name);
        implied += isFreezing(name) ? 1 : 0;
      }
      implied -= isFreezing(closed) ? 1 : 0;
      if (!closed.equals(IMPLIED)) {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isFreezing(String simpleName) {
    return simpleName.equals("FrozenType") || simpleName.equals("TupleType");
  }

  static String userTypeClassName(UserType type) {
    HexFormat hex = HexFormat.of();
    StringBuilder out = new StringBuilder(ScalarType.CLASS_PREFIX).append("UserType(");
    out.append(type.keyspace()).append(',').append(hex.formatHex(type.name().getBytes(UTF_8)));
    for (int i = 0; i < type.fieldNames().size(); i++) {
      out.append(',').append(hex.formatHex(type.fieldNames().get(i).getBytes(UTF_8)));
      out.append(':').append(type.fieldTypes().get(i).className());
    }
    out.append(')');
    return type.frozen() ? ScalarType.CLASS_PREFIX + "FrozenType(" + out + ")" : out.toString();
  }

  static void validateElements(
      CqlType type, CqlType element, MemorySegment value, long offset, int length) {
    String kind = type instanceof ListType ? "list" : "set";
    validateCollection(kind, element, null, value, offset, length);
  }

  static void validateEntries(MapType type, MemorySegment value, long offset, int length) {
    validateCollection("map", type.key(), type.value(), value, offset, length);
  }

  private static void validateCollection(
      String kind,
      CqlType first,
      @Nullable CqlType second,
      MemorySegment value,
      long offset,
      int length) {
    if (length < 4) {
      throw CqlException.invalid("Not enough bytes to read a " + kind);
    }
    long end = offset + length;
    int count = Bytes.getInt(value, offset);
    if (count < 0) {
      throw CqlException.invalid("The data cannot be deserialized as a " + kind);
    }
    long at = offset + 4;
    for (int i = 0; i < count; i++) {
      at = validatePart(kind, first, value, at, end);
      if (second != null) {
        at = validatePart(kind, second, value, at, end);
      }
    }
    if (at != end) {
      throw extraneousBytes(kind);
    }
  }

  private static CqlException extraneousBytes(String kind) {
    return CqlException.invalid("Unexpected extraneous bytes after " + kind + " value");
  }

  /** Validates a collection in another value, where Cassandra takes a negative count for zero. */
  static void validateInner(CollectionType type, MemorySegment value, long offset, int length) {
    if (length > 4 && Bytes.getInt(value, offset) < 0) {
      throw extraneousBytes(
          switch (type) {
            case ListType ignored -> "list";
            case SetType ignored -> "set";
            case MapType ignored -> "map";
          });
    }
    type.validate(value, offset, length);
  }

  private static long validatePart(
      String kind, CqlType type, MemorySegment value, long at, long end) {
    if (end - at < 4) {
      throw CqlException.invalid("Not enough bytes to read a " + kind);
    }
    int length = Bytes.getInt(value, at);
    if (length < 0) {
      throw CqlException.invalid("Null value read when not allowed");
    }
    if (end - at - 4 < length) {
      throw CqlException.invalid("Not enough bytes to read a " + kind);
    }
    type.validatePart(value, at + 4, length);
    return at + 4 + length;
  }

  /**
   * Validates the value of a tuple or user type.
   *
   * @param kind the name in error texts
   * @param fields the names of the fields; null for a tuple
   */
  static void validateTuple(
      List<CqlType> types,
      String kind,
      @Nullable List<String> fields,
      MemorySegment value,
      long offset,
      int length) {
    long end = offset + length;
    long at = offset;
    for (int i = 0; i < types.size() && at < end; i++) {
      if (end - at < 4) {
        throw CqlException.invalid("Not enough bytes to read size of " + part(i, fields));
      }
      int size = Bytes.getInt(value, at);
      at += 4;
      if (size < 0) {
        continue;
      }
      if (end - at < size) {
        throw CqlException.invalid("Not enough bytes to read " + part(i, fields));
      }
      if (fields == null) {
        types.get(i).validatePart(value, at, size);
      } else {
        validateField(types.get(i), part(i, fields), value, at, size);
      }
      at += size;
    }
    if (at < end) {
      throw CqlException.invalid("Invalid remaining data after end of " + kind + " value");
    }
  }

  private static void validateField(
      CqlType type, String field, MemorySegment value, long offset, int length) {
    try {
      type.validatePart(value, offset, length);
    } catch (CqlException e) {
      throw CqlException.invalid("Failure validating the " + field + "; " + e.getMessage());
    }
  }

  private static String part(int index, @Nullable List<String> fields) {
    return index + (fields == null ? "th component" : "th field " + fields.get(index));
  }

  static String elementsLiteral(
      CqlType element, byte @Nullable [] value, String open, String close) {
    if (value == null) {
      return "null";
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    int count = in.getInt();
    StringBuilder out = new StringBuilder(open);
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ", ").append(element.toLiteral(part(in)));
    }
    return out.append(close).toString();
  }

  static String entriesLiteral(MapType type, byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    int count = in.getInt();
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ", ").append(type.key().toLiteral(part(in)));
      out.append(": ").append(type.value().toLiteral(part(in)));
    }
    return out.append('}').toString();
  }

  static String tupleLiteral(List<CqlType> types, byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    StringBuilder out = new StringBuilder("(");
    for (int i = 0; i < types.size() && in.hasRemaining(); i++) {
      out.append(i == 0 ? "" : ", ").append(types.get(i).toLiteral(part(in)));
    }
    return out.append(')').toString();
  }

  static String userTypeLiteral(UserType type, byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < type.fieldNames().size() && in.hasRemaining(); i++) {
      out.append(i == 0 ? "" : ", ").append(CqlNames.quoted(type.fieldNames().get(i))).append(": ");
      out.append(type.fieldTypes().get(i).toLiteral(part(in)));
    }
    return out.append('}').toString();
  }

  /** The elements of a valid list or set; the keys and values of a map if there are two each. */
  static List<byte[]> collectionParts(byte[] value, int each) {
    ByteBuffer in = ByteBuffer.wrap(value);
    int count = in.getInt() * each;
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(Objects.requireNonNull(part(in)));
    }
    return parts;
  }

  /** Reads a component with its length; null for a length of -1. */
  static byte @Nullable [] part(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
