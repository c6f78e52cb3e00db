package io.helenus.server.query.value;

import io.helenus.server.error.CqlException;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.JsonReader;
import io.helenus.server.types.JsonRoom;
import io.helenus.server.types.JsonTree;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of the document of INSERT JSON, converted to the types of the columns. Immutable. */
public final class JsonDocument {
  private final Map<String, byte @Nullable []> values = new HashMap<>();
  private final Map<String, CqlException> unbound = new HashMap<>();

  private JsonDocument() {}

  /**
   * Parses a document.
   *
   * @throws CqlException INVALID if it is not an object, has a key that is no column, or a value
   *     that its column cannot have, or is too large
   */
  public static JsonDocument parse(String json, List<ColumnSchema> columns) {
    JsonRoom room = JsonRoom.ofProcess();
    Map<String, @Nullable Object> object;
    try {
      object = JsonTree.parseObject(json, room);
    } catch (JsonTree.MalformedException e) {
      throw CqlException.invalid(
          "Could not decode JSON string as a map: "
              + e.getMessage()
              + ". (String was: "
              + json
              + ")");
    }
    if (object == null) {
      throw isNull();
    }
    JsonTree.foldNames(object);
    JsonDocument document = new JsonDocument();
    for (ColumnSchema column : columns) {
      if (object.containsKey(column.name())) {
        document.put(column, object.remove(column.name()), room);
      }
    }
    if (!object.isEmpty()) {
      throw CqlException.invalid(
          "JSON values map contains unrecognized column: " + object.keySet().iterator().next());
    }
    document.validateKey(columns);
    return document;
  }

  /** Whether every value can be bound, and no column of the primary key is null. */
  boolean isInsertable(List<ColumnSchema> columns) {
    return unbound.isEmpty()
        && columns.stream()
            .allMatch(each -> !each.isPrimaryKey() || values.get(each.name()) != null);
  }

  /**
   * An empty text is the empty value of any type, which a part of a key, or an element in it, may
   * not have. A part that is null, and a whole key that is empty, are reported when the key is
   * written.
   */
  private void validateKey(List<ColumnSchema> columns) {
    List<ColumnSchema> key =
        columns.stream().filter(each -> each.kind() == ColumnKind.PARTITION_KEY).toList();
    if (key.stream().anyMatch(each -> values.get(each.name()) == null)) {
      return;
    }
    for (ColumnSchema column : key) {
      byte[] value = values.get(column.name());
      if (value != null && (value.length > 0 || key.size() > 1)) {
        MemorySegment bytes = new ByteWriter(value.length).putBytes(value).segment();
        column.type().validate(bytes, 0, value.length);
      }
    }
  }

  /** The error of a document that is null. */
  static CqlException isNull() {
    return CqlException.invalid("Got null for INSERT JSON values");
  }

  private void put(ColumnSchema column, @Nullable Object json, JsonRoom room) {
    try {
      values.put(column.name(), json == null ? null : JsonReader.read(column.type(), json, room));
    } catch (JsonReader.UnboundException e) {
      unbound.put(column.name(), e.error());
    } catch (JsonReader.MismatchException e) {
      throw CqlException.invalid(
          "Error decoding JSON value for " + column.name() + ": " + e.text());
    }
  }

  /** Whether the document has a value or null for a column. */
  public boolean has(ColumnSchema column) {
    return values.containsKey(column.name()) || unbound.containsKey(column.name());
  }

  /**
   * The value for a column in wire format; null for null and for a column that is missing.
   *
   * @throws CqlException INVALID if the value cannot be bound
   */
  byte @Nullable [] value(ColumnSchema column) {
    CqlException error = unbound.get(column.name());
    if (error != null) {
      throw error;
    }
    return values.get(column.name());
  }

  /** The value for a column of a document that is a constant. */
  public ValueSource source(ColumnSchema column) {
    CqlException error = unbound.get(column.name());
    if (error == null) {
      return new ValueSource.Constant(values.get(column.name()));
    }
    ScalarFunction refusal =
        new ScalarFunction(
            "from_json",
            List.of(),
            column.type(),
            false,
            (arguments, context, out) -> {
              throw error;
            });
    return new ValueSource.Computed(new Expression.Call(refusal, List.of()));
  }
}
