package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.generated.GeneratedTable.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Random JSON documents and the statements that write them. */
final class GeneratedJson {
  private final Choices choices;

  GeneratedJson(Choices choices) {
    this.choices = choices;
  }

  /** Adds an INSERT JSON without its USING clause. */
  void insert(StatementDraft draft, GeneratedTable table) {
    List<String> members = new ArrayList<>();
    for (Column column : table.columns()) {
      if (choices.chance(column.isKey() ? 98 : 70)) {
        String value = choices.chance(column.isKey() ? 1 : 12) ? "null" : of(column.type());
        members.add(name(column.name()) + ": " + value);
      }
    }
    if (choices.chance(3)) {
      members.add("\"nosuch\": 1");
    }
    String json = "'{" + String.join(", ", choices.shuffled(members)) + "}'";
    draft.add("INSERT INTO " + table.name() + " JSON ");
    text(draft, json);
    draft.add(choices.oneOf("", "", " DEFAULT UNSET", " DEFAULT NULL"));
  }

  /** Adds a call of from_json for a receiver of this type. */
  void call(StatementDraft draft, DataType type) {
    draft.add(choices.oneOf("fromJson(", "from_json("));
    text(draft, "'" + of(choices.chance(90) ? type : DataType.Scalar.TEXT) + "'");
    draft.add(")");
  }

  /** Adds a document as a term or a marker; the values of markers cannot have backslashes. */
  private static void text(StatementDraft draft, String quoted) {
    if (quoted.contains("\\")) {
      draft.add(quoted);
    } else {
      draft.number("text", quoted);
    }
  }

  private static String name(String identifier) {
    return identifier.startsWith("\"")
        ? "\"" + identifier.replace("\"", "\\\"") + "\""
        : "\"" + identifier + "\"";
  }

  private String of(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> ofScalar(scalar);
      case DataType.ListOf list -> elements(list.element());
      case DataType.SetOf set -> set(set.element());
      case DataType.MapOf map ->
          choices.chance(20) ? "{}" : "{" + key(of(map.key())) + ": " + of(map.value()) + "}";
      case DataType.TupleOf tuple ->
          "[" + String.join(", ", tuple.elements().stream().map(this::nullable).toList()) + "]";
      case DataType.UserType user -> {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < user.fields().size(); i++) {
          if (choices.chance(80)) {
            members.add(name(user.fields().get(i)) + ": " + nullable(user.types().get(i)));
          }
        }
        yield "{" + String.join(", ", members) + "}";
      }
      case DataType.VectorOf vector -> {
        List<String> elements = new ArrayList<>();
        for (int i = vector.dimension(); i > 0; i--) {
          elements.add(of(vector.element()));
        }
        yield "[" + String.join(", ", elements) + "]";
      }
      case DataType.Custom custom -> throw new IllegalArgumentException(custom.className());
    };
  }

  private String nullable(DataType type) {
    return choices.chance(12) ? "null" : of(type);
  }

  private String elements(DataType type) {
    List<String> elements = new ArrayList<>();
    for (int i = choices.below(4); i > 0; i--) {
      elements.add(choices.chance(2) ? "null" : of(type));
    }
    return "[" + String.join(", ", elements) + "]";
  }

  /** Elements without numbers that are equal but quoted differently, of which any may be kept. */
  private String set(DataType type) {
    Map<String, String> elements = new LinkedHashMap<>();
    for (int i = choices.below(4); i > 0; i--) {
      String element = choices.chance(2) ? "null" : of(type);
      elements.put(element.replace("\"", ""), element);
    }
    return "[" + String.join(", ", elements.values()) + "]";
  }

  /** A key of an object: the JSON of the value, as a string unless it is one. */
  private static String key(String json) {
    return json.startsWith("\"")
        ? json
        : "\"" + json.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private String ofScalar(DataType.Scalar type) {
    if (choices.chance(3)) {
      String odd = choices.oneOf("1", "\"a\"", "true", "1.5", "[]", "{}", "\"\"", "1e3", "\"1\"");
      // in a clustering key Cassandra cannot compare it with others, which ANY hides
      return type == DataType.Scalar.TINYINT && odd.equals("\"\"") ? "null" : odd;
    }
    String term = GeneratedValue.of(type, choices).term();
    if (term.startsWith("'")) {
      return "\"" + term.substring(1, term.length() - 1) + "\"";
    }
    boolean plain = term.matches("-?[0-9]+(\\.[0-9]+)?(E[+-]?[0-9]+)?|true|false");
    return plain && choices.chance(80) ? term : "\"" + term + "\"";
  }
}
