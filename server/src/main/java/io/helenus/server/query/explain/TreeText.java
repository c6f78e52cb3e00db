package io.helenus.server.query.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A tree as rows or as JSON. The values of a column have the same length, so that a client that
 * aligns them to the right, as cqlsh does, shows the tree too. Stateless; any thread.
 */
final class TreeText {
  private static final String INDENT = "  ";

  private TreeText() {}

  /**
   * The rows of a tree.
   *
   * @param measured whether there is a fourth column with what was measured
   */
  static List<List<String>> rows(ExplainNode root, boolean measured) {
    List<List<String>> rows = new ArrayList<>();
    add(root, "", measured, rows);
    int columns = rows.getFirst().size();
    List<List<String>> padded = new ArrayList<>();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < columns; i++) {
        values.add(row.get(i) + " ".repeat(widths[i] - row.get(i).length()));
      }
      padded.add(values);
    }
    return padded;
  }

  private static void add(
      ExplainNode node, String indent, boolean measured, List<List<String>> rows) {
    List<String> row = new ArrayList<>();
    row.add(indent + node.step());
    row.add(node.what());
    row.add(node.estimate().text());
    if (measured) {
      row.add(node.actual().text());
    }
    rows.add(row);
    node.children().forEach(child -> add(child, indent + INDENT, measured, rows));
  }

  /** The tree as a JSON object with its steps in {@code steps}. */
  static String json(ExplainNode node) {
    StringBuilder out = new StringBuilder();
    json(node, out);
    return out.toString();
  }

  private static void json(ExplainNode node, StringBuilder out) {
    out.append("{\"step\": ");
    string(node.step(), out);
    out.append(", \"what\": ");
    string(node.what(), out);
    figures("estimate", node.estimate(), out);
    figures("actual", node.actual(), out);
    if (!node.children().isEmpty()) {
      out.append(", \"steps\": [");
      String separator = "";
      for (ExplainNode child : node.children()) {
        out.append(separator);
        json(child, out);
        separator = ", ";
      }
      out.append(']');
    }
    out.append('}');
  }

  private static void figures(String name, Figures figures, StringBuilder out) {
    if (figures.values().isEmpty()) {
      return;
    }
    out.append(", \"").append(name).append("\": {");
    String separator = "";
    for (Map.Entry<String, Long> each : figures.values().entrySet()) {
      out.append(separator)
          .append('"')
          .append(each.getKey())
          .append("\": ")
          .append(each.getValue());
      separator = ", ";
    }
    out.append('}');
  }

  private static void string(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
