package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints aligned, human-readable lines: the kind, then a line for each value. Lists of flat
 * documents are printed as tables, other lists as indented blocks.
 */
final class TextPrinter implements DumpPrinter {
  private static final String STEP = "  ";

  private final Writer out;

  TextPrinter(Writer out) {
    this.out = out;
  }

  @Override
  public void print(String kind, Fields fields) throws IOException {
    line("", kind);
    block(STEP, fields);
    out.write('\n');
  }

  private void block(String indent, Fields fields) throws IOException {
    int width = 0;
    for (Map.Entry<String, Object> each : fields.values().entrySet()) {
      if (isOneLine(each.getValue())) {
        width = Math.max(width, each.getKey().length());
      }
    }
    for (Map.Entry<String, Object> each : fields.values().entrySet()) {
      String name = each.getKey().replace('_', ' ');
      Object value = each.getValue();
      if (isOneLine(value)) {
        String padded = name + " ".repeat(width - name.length());
        line(indent, padded + STEP + inline(value));
      } else {
        line(indent, name);
        nested(indent + STEP, value);
      }
    }
  }

  private void nested(String indent, Object value) throws IOException {
    if (value instanceof Fields fields) {
      block(indent, fields);
    } else if (value instanceof List<?> list) {
      List<Fields> elements = new ArrayList<>();
      list.forEach(element -> elements.add((Fields) element));
      list(indent, elements);
    } else {
      for (String each : value.toString().split("\n", -1)) {
        line(indent, each);
      }
    }
  }

  private void list(String indent, List<Fields> elements) throws IOException {
    if (elements.stream().allMatch(TextPrinter::isFlat)) {
      table(indent, elements);
      return;
    }
    for (int i = 0; i < elements.size(); i++) {
      line(indent, Integer.toString(i + 1));
      block(indent + STEP, elements.get(i));
    }
  }

  private void table(String indent, List<Fields> rows) throws IOException {
    Map<String, Integer> widths = new LinkedHashMap<>();
    for (Fields row : rows) {
      row.values()
          .forEach(
              (name, value) ->
                  widths.merge(name, Math.max(name.length(), inline(value).length()), Math::max));
    }
    StringBuilder text = new StringBuilder();
    widths.forEach((name, width) -> cell(text, name.replace('_', ' '), width));
    line(indent, text.toString());
    for (Fields row : rows) {
      text.setLength(0);
      widths.forEach(
          (name, width) -> {
            Object value = row.values().get(name);
            cell(text, value == null ? "" : inline(value), width);
          });
      line(indent, text.toString());
    }
  }

  private static void cell(StringBuilder line, String text, int width) {
    line.append(text).repeat(' ', width - text.length() + STEP.length());
  }

  private static boolean isFlat(Fields fields) {
    return fields.values().values().stream().allMatch(TextPrinter::isOneLine);
  }

  private static boolean isOneLine(Object value) {
    return switch (value) {
      case Fields fields -> isFlat(fields);
      case List<?> list -> list.isEmpty();
      case String text -> text.indexOf('\n') < 0;
      default -> true;
    };
  }

  private static String inline(Object value) {
    if (value instanceof Fields fields) {
      List<String> parts = new ArrayList<>();
      fields.values().forEach((name, part) -> parts.add(name + " = " + nestedInline(part)));
      return String.join(", ", parts);
    }
    return value instanceof List<?> ? "none" : Texts.shown(value);
  }

  private static String nestedInline(Object value) {
    return value instanceof Fields ? "(" + inline(value) + ")" : inline(value);
  }

  private void line(String indent, String text) throws IOException {
    out.write((indent + text).stripTrailing());
    out.write('\n');
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
