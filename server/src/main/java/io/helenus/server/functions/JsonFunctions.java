package io.helenus.server.functions;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.JsonReader;
import io.helenus.server.types.JsonRoom;
import io.helenus.server.types.JsonTree;
import io.helenus.server.types.JsonWriter;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code to_json} and {@code from_json}, whose types follow from the argument and the receiver, and
 * the function behind SELECT JSON. Stateless.
 */
public final class JsonFunctions {
  private static final String TO_JSON = "to_json";
  private static final String FROM_JSON = "from_json";

  private JsonFunctions() {}

  /** Returns the named function for these arguments; null for any other name. */
  static @Nullable ScalarFunction find(
      String name, List<Argument> arguments, @Nullable CqlType receiver) {
    return switch (name) {
      case TO_JSON, "tojson" -> toJson(name, arguments);
      case FROM_JSON, "fromjson" -> fromJson(name, arguments, receiver);
      default -> null;
    };
  }

  private static ScalarFunction toJson(String name, List<Argument> arguments) {
    if (arguments.size() != 1) {
      throw CqlException.invalid(
          "Invalid number of arguments for function system." + name + "(any)");
    }
    CqlType type = arguments.getFirst().type();
    if (type == null) {
      throw CqlException.invalid(
          "Cannot infer type of argument "
              + arguments.getFirst().text()
              + " in call to function system."
              + name
              + "(any): use type casts to disambiguate");
    }
    return new ScalarFunction(
        TO_JSON,
        List.of(type),
        ScalarType.TEXT,
        true,
        (values, context, out) -> {
          byte[] value = values.isNull(0) ? null : values.getBytes(0);
          boolean isNull = value != null && value.length == 0 && isNullIfEmpty(type);
          out.putBytes(WireValues.ofText(JsonWriter.value(type, isNull ? null : value)));
          return true;
        });
  }

  /**
   * Whether Cassandra's to_json takes an empty value for null, as SELECT JSON does not: not of a
   * smallint; of a tinyint Cassandra fails.
   */
  private static boolean isNullIfEmpty(CqlType type) {
    return type instanceof ScalarType scalar
        && scalar.isEmptyMeaningless()
        && scalar != ScalarType.SMALLINT
        && scalar != ScalarType.TINYINT;
  }

  private static ScalarFunction fromJson(
      String name, List<Argument> arguments, @Nullable CqlType receiver) {
    if (arguments.size() != 1) {
      throw CqlException.invalid(
          "Invalid number of arguments for function system." + name + "(text)");
    }
    Argument json = arguments.getFirst();
    if (json.match(ScalarType.TEXT) == Argument.Match.NONE) {
      CqlType type = json.type();
      throw CqlException.invalid(
          "Function system."
              + name
              + " requires an argument of type text, but found argument "
              + json.text()
              + (type == null ? "" : " of type " + type.toCql()));
    }
    if (receiver == null) {
      throw CqlException.invalid(
          name + "() cannot be used in the selection clause of a SELECT statement");
    }
    return new ScalarFunction(
        FROM_JSON,
        List.of(ScalarType.TEXT),
        receiver,
        true,
        (values, context, out) ->
            !values.isNull(0) && read(WireValues.toText(values.getBytes(0)), receiver, out));
  }

  private static boolean read(String json, CqlType type, ByteWriter out) {
    byte[] value;
    try {
      JsonRoom room = JsonRoom.ofProcess();
      Object parsed = JsonTree.parse(json, room);
      if (parsed == null) {
        return false;
      }
      value = JsonReader.read(type, parsed, room);
    } catch (JsonReader.UnboundException e) {
      throw e.error();
    } catch (JsonTree.MalformedException e) {
      throw failure(
          "execution of 'system.from_json[text]' failed: Could not decode JSON string '"
              + json
              + "': "
              + e.getMessage());
    } catch (JsonReader.MismatchException e) {
      throw failure("org.apache.cassandra.serializers.MarshalException: " + e.text());
    }
    int start = out.size();
    out.putBytes(value);
    try {
      type.validate(out.segment(), start, value.length);
    } catch (CqlException e) {
      // Cassandra returns a server error here too.
      throw CqlException.server(
          "java.lang.RuntimeException: Return of function system.from_json : (text) -> "
              + type.toCql()
              + " ("
              + HexFormat.of().formatHex(value)
              + ") is not a valid value for its declared return type "
              + type.toCql());
    }
    return true;
  }

  private static CqlException failure(String message) {
    return new CqlException(
        new CqlError.FunctionFailure(
            message, "system", FROM_JSON, List.of(ScalarType.TEXT.toCql())));
  }

  /** The function that formats a row of SELECT JSON from the values of its columns. */
  public static ScalarFunction row(List<String> names, List<CqlType> types) {
    return new ScalarFunction(
        TO_JSON,
        types,
        ScalarType.TEXT,
        true,
        (values, context, out) -> {
          List<byte @Nullable []> columns = new ArrayList<>(names.size());
          for (int i = 0; i < names.size(); i++) {
            columns.add(values.isNull(i) ? null : values.getBytes(i));
          }
          out.putBytes(WireValues.ofText(JsonWriter.row(names, types, columns)));
          return true;
        });
  }
}
