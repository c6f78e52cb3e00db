package io.helenus.server.admin.command;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints maps, lists, texts, numbers and null as JSON and as YAML, in the layouts of Cassandra's
 * nodetool. Stateless.
 */
final class Documents {
  private static final String INDENT = "  ";

  private Documents() {}

  /** As JSON, with an end of line. */
  static String json(Map<String, ?> document) {
    StringBuilder out = new StringBuilder();
    appendJson(document, "", out);
    return out.append('\n').toString();
  }

  private static void appendJson(@Nullable Object value, String indent, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map when map.isEmpty() -> out.append("{ }");
      case Map<?, ?> map -> {
        String separator = "{\n";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(separator).append(indent).append(INDENT);
          appendText(String.valueOf(entry.getKey()), out);
          out.append(" : ");
          appendJson(entry.getValue(), indent + INDENT, out);
          separator = ",\n";
        }
        out.append('\n').append(indent).append('}');
      }
      case Collection<?> list when list.isEmpty() -> out.append("[ ]");
      case Double number when number.isNaN() -> appendText("NaN", out);
      case String text -> appendText(text, out);
      case null, default -> out.append(value);
    }
  }

  private static void appendText(String text, StringBuilder out) {
    out.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
  }

  /** As YAML, with an empty line at its end. */
  static String yaml(Map<String, ?> document) {
    StringBuilder out = new StringBuilder();
    appendYaml(document, "", out);
    return out.append('\n').toString();
  }

  private static void appendYaml(Map<?, ?> map, String indent, StringBuilder out) {
    map.forEach(
        (key, value) -> {
          out.append(indent).append(key).append(':');
          if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
            out.append('\n');
            appendYaml(inner, indent + INDENT, out);
          } else {
            out.append(' ').append(scalar(value)).append('\n');
          }
        });
  }

  private static String scalar(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> _ -> "{}";
      case List<?> _ -> "[]";
      case Double number when number.isNaN() -> ".NaN";
      // what would be read as a number if it were not quoted
      case String text when text.matches("[-+.\\d].*") -> "'" + text + "'";
      case null, default -> String.valueOf(value);
    };
  }
}
