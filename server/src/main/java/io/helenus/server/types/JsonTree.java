package io.helenus.server.types;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses JSON to maps, lists, strings, numbers (Integer, Long, BigInteger, Double), booleans and
 * null. Only the first value of the text is read, as in Cassandra. Errors have the texts of the
 * Jackson version that Cassandra uses. Stateless; not for hot paths.
 */
public final class JsonTree {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final String SOURCE =
      "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: ";
  private static final String MISMATCH =
      "com.fasterxml.jackson.databind.exc.MismatchedInputException";
  private static final String MAP_CLASS =
      "`java.util.LinkedHashMap<java.lang.Object,java.lang.Object>`";

  private JsonTree() {}

  /** The text is not JSON; the message is the one that Cassandra shows after its own. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String description;

    MalformedException(String kind, String description) {
      super(kind + ": " + description);
      this.description = description;
    }

    /** The message without the kind of the error, as Cassandra shows it for JSON in a string. */
    public String description() {
      return description;
    }
  }

  /**
   * Parses any value.
   *
   * @throws io.helenus.server.error.CqlException INVALID if there is not enough room
   */
  public static @Nullable Object parse(String json, JsonRoom room) throws MalformedException {
    room.takeText(json);
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken first = in.nextToken();
      if (first == null) {
        throw empty();
      }
      return value(in, first, room);
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  /** Checks that a text starts with a value of JSON, without building it. */
  public static void check(String json) throws MalformedException {
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (in.nextToken() == null) {
        throw empty();
      }
      in.skipChildren();
      in.finishToken();
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  /**
   * Parses an object; null if the text is {@code null}.
   *
   * @throws io.helenus.server.error.CqlException INVALID if there is not enough room
   */
  public static @Nullable Map<String, @Nullable Object> parseObject(String json, JsonRoom room)
      throws MalformedException {
    room.takeText(json);
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken first = in.nextToken();
      if (first == null) {
        throw empty();
      }
      if (first == JsonToken.VALUE_NULL) {
        return null;
      }
      if (first != JsonToken.START_OBJECT) {
        throw notAnObject(in, first);
      }
      return object(in, room);
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  /** Folds the keys of an object as names of CQL: to lower case, unless between quotes. */
  public static void foldNames(Map<String, @Nullable Object> object) {
    for (String key : new ArrayList<>(object.keySet())) {
      String name =
          key.length() > 1 && key.startsWith("\"") && key.endsWith("\"")
              ? key.substring(1, key.length() - 1)
              : key.toLowerCase(Locale.US);
      if (!name.equals(key)) {
        object.put(name, object.remove(key));
      }
    }
  }

  private static @Nullable Object value(JsonParser in, JsonToken token, JsonRoom room) {
    room.takeParts(1);
    return switch (token) {
      case START_OBJECT -> object(in, room);
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken()) {
          list.add(value(in, next, room));
        }
        yield list;
      }
      case VALUE_NUMBER_INT -> in.getNumberValue();
      case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      default -> in.getString();
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser in, JsonRoom room) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      room.takeParts(1);
      String name = in.currentName();
      object.put(name, value(in, in.nextToken(), room));
    }
    return object;
  }

  private static MalformedException empty() {
    return new MalformedException(
        MISMATCH, "No content to map due to end-of-input\n at " + SOURCE + "1]");
  }

  private static MalformedException notAnObject(JsonParser in, JsonToken token) {
    String found =
        switch (token) {
          case START_ARRAY -> "Array value (token `JsonToken.START_ARRAY`)";
          case VALUE_NUMBER_INT -> "Integer value (token `JsonToken.VALUE_NUMBER_INT`)";
          case VALUE_NUMBER_FLOAT -> "Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)";
          default -> "Boolean value (token `JsonToken." + token + "`)";
        };
    String problem =
        token == JsonToken.VALUE_STRING
            ? "Cannot construct instance of `java.util.LinkedHashMap` (although at least one"
                + " Creator exists): no String-argument constructor/factory method to deserialize"
                + " from String value ('"
                + in.getString()
                + "')"
            : "Cannot deserialize value of type " + MAP_CLASS + " from " + found;
    return new MalformedException(
        MISMATCH, problem + at(in.currentTokenLocation(), in.currentTokenLocation().getColumnNr()));
  }

  private static MalformedException malformed(JacksonException e) {
    String kind =
        switch (e) {
          case UnexpectedEndOfInputException ignored ->
              "com.fasterxml.jackson.core.io.JsonEOFException";
          case StreamReadException ignored -> "com.fasterxml.jackson.core.JsonParseException";
          default -> e.getClass().getName();
        };
    String text =
        e.getOriginalMessage()
            .replace("property name", "field name")
            .replace(
                "): expected a value",
                "): expected a valid value (JSON String, Number, Array, Object or token 'null',"
                    + " 'true' or 'false')");
    TokenStreamLocation location = e.getLocation();
    return new MalformedException(
        kind,
        location == null
            ? text
            : text + at(location, location.getColumnNr() + unrecognizedLength(text)));
  }

  private static String at(TokenStreamLocation location, int column) {
    return "\n at " + SOURCE + location.getLineNr() + ", column: " + column + "]";
  }

  /** The length of an unrecognized token; older versions of Jackson report where it ends. */
  private static int unrecognizedLength(String text) {
    String start = "Unrecognized token '";
    return text.startsWith(start) ? text.indexOf('\'', start.length()) - start.length() : 0;
  }
}
