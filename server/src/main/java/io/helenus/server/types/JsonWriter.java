package io.helenus.server.types;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Formats values as JSON, as Cassandra writes it, with its spaces. Stateless; not for hot paths.
 */
public final class JsonWriter {
  private JsonWriter() {}

  /**
   * Formats a row as an object.
   *
   * @param names the keys; a name with upper-case letters is written between quotes
   * @param values in wire format; null for NULL
   */
  public static String row(
      List<String> names, List<CqlType> types, List<byte @Nullable []> values) {
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < names.size(); i++) {
      separate(i, out);
      putName(names.get(i), out);
      put(types.get(i), values.get(i), out);
    }
    return out.append('}').toString();
  }

  /** Formats a value; null as {@code null}. The bytes must be valid. */
  public static String value(CqlType type, byte @Nullable [] value) {
    StringBuilder out = new StringBuilder();
    put(type, value, out);
    return out.toString();
  }

  private static void put(CqlType type, byte @Nullable [] value, StringBuilder out) {
    if (value == null) {
      out.append("null");
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    switch (type) {
      case ScalarType scalar -> putScalar(scalar, value, out);
      case ListType list -> putElements(list.element(), in.getInt(), in, out);
      case SetType set -> putElements(set.element(), in.getInt(), in, out);
      case MapType map -> putEntries(map, in, out);
      case TupleType tuple -> putTuple(tuple, in, out);
      case UserType user -> putFields(user, in, out);
      case VectorType vector -> putVector(vector, value, out);
      case CustomType ignored -> putScalar(ScalarType.BLOB, value, out);
    }
  }

  private static void putScalar(ScalarType type, byte[] value, StringBuilder out) {
    String text = type.toText(value);
    switch (type) {
      case BIGINT, COUNTER, DECIMAL, INT, SMALLINT, TINYINT, VARINT ->
          out.append(text.isEmpty() ? "\"\"" : text);
      case BOOLEAN -> out.append(value.length == 0 ? "false" : text);
      case DOUBLE, FLOAT ->
          out.append(
              text.isEmpty()
                  ? "\"\""
                  : text.equals("NaN") || text.endsWith("Infinity") ? "null" : text);
      case TIMESTAMP -> putQuoted(value.length == 0 ? "" : Timestamps.toJson(value), out);
      case ASCII, BLOB, DATE, DURATION, EMPTY, INET, TEXT, TIME, TIMEUUID, UUID ->
          putQuoted(text, out);
    }
  }

  private static void putQuoted(String text, StringBuilder out) {
    out.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, out);
    out.append('"');
  }

  private static void putName(String name, StringBuilder out) {
    boolean folded = name.equals(name.toLowerCase(Locale.US));
    putQuoted(folded ? name : "\"" + name + "\"", out);
    out.append(": ");
  }

  private static void separate(int index, StringBuilder out) {
    if (index > 0) {
      out.append(", ");
    }
  }

  private static void putElements(CqlType element, int count, ByteBuffer in, StringBuilder out) {
    out.append('[');
    for (int i = 0; i < count; i++) {
      separate(i, out);
      put(element, Structures.part(in), out);
    }
    out.append(']');
  }

  private static void putVector(VectorType type, byte[] value, StringBuilder out) {
    List<byte[]> elements = VectorValues.elements(type, value);
    out.append('[');
    for (int i = 0; i < elements.size(); i++) {
      separate(i, out);
      put(type.element(), elements.get(i), out);
    }
    out.append(']');
  }

  private static void putEntries(MapType type, ByteBuffer in, StringBuilder out) {
    int count = in.getInt();
    out.append('{');
    for (int i = 0; i < count; i++) {
      separate(i, out);
      String key = value(type.key(), Structures.part(in));
      if (key.startsWith("\"")) {
        out.append(key);
      } else {
        putQuoted(key, out);
      }
      out.append(": ");
      put(type.value(), Structures.part(in), out);
    }
    out.append('}');
  }

  private static void putTuple(TupleType type, ByteBuffer in, StringBuilder out) {
    List<byte @Nullable []> parts = parts(type.elements().size(), in);
    out.append('[');
    for (int i = 0; i < parts.size(); i++) {
      separate(i, out);
      put(type.elements().get(i), parts.get(i), out);
    }
    out.append(']');
  }

  private static void putFields(UserType type, ByteBuffer in, StringBuilder out) {
    out.append(row(type.fieldNames(), type.fieldTypes(), parts(type.fieldTypes().size(), in)));
  }

  /** The components of a tuple; missing ones are null. */
  private static List<byte @Nullable []> parts(int count, ByteBuffer in) {
    List<byte @Nullable []> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(in.hasRemaining() ? Structures.part(in) : null);
    }
    return parts;
  }
}
