package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts values of {@link JsonTree} to wire bytes, with Cassandra's checks and error texts. Not
 * for hot paths.
 */
public final class JsonReader {
  private static final byte[] NOTHING = {};

  /** The first value that fits its type but cannot be stored; parts of it have no bytes. */
  private @Nullable CqlException unbound;

  private final JsonRoom room;

  private JsonReader(JsonRoom room) {
    this.room = room;
  }

  /** The value does not fit the type. */
  public static final class MismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MismatchException(String message) {
      super(message);
    }

    /** The text for the client. */
    public String text() {
      return String.valueOf(getMessage());
    }
  }

  /** The value fits the type, but cannot be stored; Cassandra finds out when it binds the value. */
  public static final class UnboundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient CqlException error;

    UnboundException(CqlException error) {
      super(error.getMessage(), null, false, false);
      this.error = error;
    }

    /** The error for the client. */
    public CqlException error() {
      return error;
    }
  }

  /**
   * Converts a value other than null.
   *
   * @param room what the document that it is from has left
   * @throws MismatchException if it does not fit the type
   * @throws UnboundException if an element of a vector is empty
   * @throws CqlException INVALID for a string that is not a duration, and if there is not enough
   *     room
   */
  public static byte[] read(CqlType type, Object json, JsonRoom room) {
    JsonReader reader = new JsonReader(room);
    byte[] value = reader.value(type, json);
    if (reader.unbound != null) {
      throw new UnboundException(reader.unbound);
    }
    return value;
  }

  private byte[] value(CqlType type, Object json) {
    return switch (type) {
      case ScalarType scalar -> scalar(scalar, json);
      case ListType list -> elements(list.element(), json, "Expected a list, but got a ", "list");
      case SetType set ->
          sorted(
              set.element(),
              elementsOf(
                  set.element(), json, "Expected a list (representing a set), but got a ", "set"));
      case MapType map -> entries(map, json);
      case TupleType tuple -> tuple(tuple, json);
      case UserType user -> fields(user, json);
      case VectorType vector -> vector(vector, json);
      case CustomType ignored -> throw mismatch("Values of custom types have no JSON form");
    };
  }

  private static byte[] scalar(ScalarType type, Object json) {
    return switch (type) {
      case ASCII -> string(type, json, "an ascii string");
      case TEXT -> string(type, json, "a UTF-8 string");
      case DATE -> string(type, json, "a string representation of a date value");
      case DURATION -> string(type, json, "a string representation of a duration");
      case INET -> string(type, json, "a string representation of an inet value");
      case TIME -> string(type, json, "a string representation of a time value");
      case UUID -> string(type, json, "a string representation of a uuid");
      case TIMEUUID -> timeUuid(json);
      case BLOB -> blob(json);
      case BOOLEAN ->
          json instanceof Boolean value
              ? WireValues.ofBoolean(value)
              : string(type, json, "a boolean value");
      case TINYINT -> integer(type, json, json instanceof Number, "a byte value");
      case SMALLINT -> integer(type, json, json instanceof Number, "a short value");
      case INT -> integer(type, json, json instanceof Integer, "an int value");
      case BIGINT, COUNTER ->
          integer(type, json, json instanceof Integer || json instanceof Long, "a bigint value");
      case FLOAT ->
          json instanceof Number number
              ? WireValues.ofFloat(number.floatValue())
              : string(type, json, "a float value");
      case DOUBLE ->
          json instanceof Number number
              ? WireValues.ofDouble(number.doubleValue())
              : string(type, json, "a double value");
      case DECIMAL -> decimal(json);
      case VARINT -> varint(json);
      case TIMESTAMP ->
          json instanceof Long millis
              ? WireValues.ofLong(millis)
              : string(type, json, "a long or a datestring representation of a timestamp value");
      case EMPTY -> empty(json);
    };
  }

  private static byte[] string(ScalarType type, Object json, String expected) {
    if (!(json instanceof String text)) {
      throw unexpected(expected, json);
    }
    return switch (type) {
      case DURATION -> type.fromString(text);
      default -> parse(type, text);
    };
  }

  private static byte[] parse(ScalarType type, String text) {
    try {
      return type.fromString(text);
    } catch (CqlException e) {
      throw mismatch(String.valueOf(e.getMessage()));
    }
  }

  private static byte[] integer(ScalarType type, Object json, boolean fits, String expected) {
    if (json instanceof String) {
      return string(type, json, expected);
    }
    if (!fits) {
      throw unexpected(expected, json);
    }
    return parse(type, json.toString());
  }

  private static byte[] empty(Object json) {
    if (!(json instanceof String text)) {
      throw mismatch("Expected an empty string, but got: " + json);
    }
    if (!text.isEmpty()) {
      throw mismatch("'" + text + "' is not empty");
    }
    return new byte[0];
  }

  private static byte[] timeUuid(Object json) {
    if (json instanceof String text && !text.isEmpty()) {
      try {
        return ScalarType.TIMEUUID.fromString(text);
      } catch (CqlException e) {
        throw mismatch(String.valueOf(e.getMessage()));
      }
    }
    return string(ScalarType.TIMEUUID, json, "a string representation of a timeuuid");
  }

  private static byte[] blob(Object json) {
    String problem = "Value '" + json + "' is not a valid blob representation: ";
    if (!(json instanceof String text)) {
      String type = json.getClass().getName();
      throw mismatch(
          problem
              + "class "
              + type
              + " cannot be cast to class java.lang.String ("
              + type
              + " and java.lang.String are in module java.base of loader 'bootstrap')");
    }
    if (!text.startsWith("0x")) {
      throw mismatch(problem + "String representation of blob is missing 0x prefix: " + text);
    }
    try {
      return ScalarType.BLOB.fromString(text.substring(2));
    } catch (CqlException e) {
      throw mismatch(problem + e.getMessage());
    }
  }

  private static byte[] decimal(Object json) {
    String text = json.toString();
    if (text.isEmpty()) {
      return new byte[0];
    }
    try {
      return WireValues.ofDecimal(new BigDecimal(text));
    } catch (NumberFormatException e) {
      throw mismatch("Value '" + json + "' is not a valid representation of a decimal value");
    }
  }

  private static byte[] varint(Object json) {
    try {
      return WireValues.ofVarint(new BigInteger(json.toString()));
    } catch (NumberFormatException e) {
      throw mismatch("Value '" + json + "' is not a valid representation of a varint value");
    }
  }

  // ---- collections, tuples, user types

  private byte[] elements(CqlType element, Object json, String expected, String kind) {
    return WireValues.ofElements(elementsOf(element, json, expected, kind));
  }

  private List<byte[]> elementsOf(CqlType element, Object json, String expected, String kind) {
    Object decoded = decoded(json);
    if (!(decoded instanceof List<?> list)) {
      throw mismatch(expected + described(decoded));
    }
    List<byte[]> elements = new ArrayList<>(list.size());
    for (Object each : list) {
      if (each == null) {
        throw mismatch("Invalid null element in " + kind);
      }
      elements.add(value(element, each));
    }
    return elements;
  }

  /** A string in place of a structure holds its JSON, as the keys of a map must. */
  private Object decoded(Object json) {
    if (!(json instanceof String text)) {
      return json;
    }
    try {
      Object value = JsonTree.parse(text, room);
      return value == null ? json : value;
    } catch (JsonTree.MalformedException e) {
      throw mismatch("Error decoding JSON string: " + e.description());
    }
  }

  private byte[] sorted(CqlType type, List<byte[]> elements) {
    if (unbound != null) {
      return NOTHING;
    }
    TreeMap<byte[], byte[]> order = new TreeMap<>(order(type));
    elements.forEach(each -> order.put(each, each));
    return WireValues.ofElements(order.values());
  }

  private static Comparator<byte[]> order(CqlType type) {
    KeyEncoding encoding = type.keyEncoding();
    return encoding == null
        ? WireValues::compare
        : Comparator.comparing(value -> key(encoding, value), WireValues::compare);
  }

  private static byte[] key(KeyEncoding encoding, byte[] value) {
    ByteWriter in = new ByteWriter(value.length).putBytes(value);
    ByteWriter out = new ByteWriter(16 + value.length);
    encoding.write(in.segment(), 0, value.length, false, out);
    return out.toArray();
  }

  private byte[] entries(MapType type, Object json) {
    Object decoded = decoded(json);
    if (!(decoded instanceof Map<?, ?> map)) {
      throw mismatch("Expected a map, but got a " + described(decoded));
    }
    TreeMap<byte[], byte[]> entries = new TreeMap<>(order(type.key()));
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (entry.getKey() == null) {
        throw mismatch("Invalid null key in map");
      }
      if (entry.getValue() == null) {
        throw mismatch("Invalid null value in map");
      }
      byte[] key = value(type.key(), entry.getKey());
      byte[] value = value(type.value(), entry.getValue());
      if (unbound == null) {
        entries.put(key, value);
      }
    }
    List<byte[]> flat = new ArrayList<>(2 * entries.size());
    entries.forEach(
        (key, value) -> {
          flat.add(key);
          flat.add(value);
        });
    return WireValues.ofEntries(flat);
  }

  private byte[] tuple(TupleType type, Object json) {
    Object decoded = decoded(json);
    if (!(decoded instanceof List<?> list)) {
      throw mismatch("Expected a list representation of a tuple, but got a " + described(decoded));
    }
    int size = type.elements().size();
    if (list.size() != size) {
      throw mismatch(
          (list.size() > size ? "Tuple contains extra items" : "Tuple is missing items")
              + " (expected "
              + size
              + "): "
              + list);
    }
    List<byte @Nullable []> components = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      Object element = list.get(i);
      components.add(element == null ? null : value(type.elements().get(i), element));
    }
    return WireValues.ofComponents(components);
  }

  private byte[] vector(VectorType type, Object json) {
    Object decoded = decoded(json);
    if (!(decoded instanceof List<?> list)) {
      throw mismatch("Expected a list, but got a " + described(decoded));
    }
    if (list.size() != type.dimension()) {
      throw mismatch(
          "List had incorrect size: expected "
              + type.dimension()
              + " but given "
              + list.size()
              + "; "
              + list);
    }
    List<byte @Nullable []> elements = elementsOf(type.element(), list, "", "list");
    try {
      return VectorValues.of(type, elements);
    } catch (CqlException e) {
      unbound = unbound == null ? e : unbound;
      return NOTHING;
    }
  }

  private byte[] fields(UserType type, Object json) {
    Object decoded = decoded(json);
    if (!(decoded instanceof Map<?, ?> map)) {
      throw mismatch("Expected a map, but got a " + described(decoded));
    }
    Map<String, @Nullable Object> given = new HashMap<>();
    map.forEach((name, value) -> given.put(String.valueOf(name), value));
    JsonTree.foldNames(given);
    room.takeParts(type.fieldNames().size());
    List<byte @Nullable []> components = new ArrayList<>();
    for (int i = 0; i < type.fieldNames().size(); i++) {
      Object value = given.remove(type.fieldNames().get(i));
      components.add(value == null ? null : value(type.fieldTypes().get(i), value));
    }
    if (!given.isEmpty()) {
      throw mismatch(
          "Unknown field '"
              + given.keySet().iterator().next()
              + "' in value of user defined type "
              + type.name());
    }
    return WireValues.ofComponents(components);
  }

  private static MismatchException unexpected(String expected, Object json) {
    return mismatch("Expected " + expected + ", but got a " + described(json));
  }

  private static String described(Object json) {
    return json.getClass().getSimpleName() + ": " + json;
  }

  private static MismatchException mismatch(String text) {
    return new MismatchException(text);
  }
}
