package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Formats answers as lines of a script. */
final class AnswerText {
  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Directives directives;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  AnswerText(Directives directives) {
    this.directives = directives;
  }

  List<String> lines() {
    return lines.stream()
        .map(line -> directives.has("repeats") ? Repeats.contract(line) : line)
        .map(directives::maskText)
        .map(String::stripTrailing)
        .map(line -> directives.has("number-uuids") ? numberUuids(line) : line)
        .toList();
  }

  private String numberUuids(String line) {
    return UUID.matcher(line)
        .replaceAll(
            match -> "#" + numbers.computeIfAbsent(match.group(), each -> numbers.size() + 1));
  }

  void addLine(String line) {
    lines.add("> " + line);
  }

  void add(Answer answer) {
    answer.warnings().forEach(warning -> addLine("warning: " + Literal.escape(warning)));
    switch (answer.outcome()) {
      case Answer.Done _ -> addLine("done");
      case Answer.KeyspaceSet set -> addLine("in keyspace " + set.keyspace());
      case Answer.SchemaChange change ->
          addLine(change.change() + " " + change.target() + " " + String.join(".", change.names()));
      case Answer.Rows rows -> addRows(rows);
      case Answer.Prepared prepared -> addPrepared(prepared);
      case Answer.Refused refused ->
          lines.add(
              String.format(
                      Locale.ROOT, "! %04x %s", refused.code(), Literal.escape(refused.message()))
                  + (refused.fields().isEmpty() ? "" : " [" + refused.fields() + "]"));
    }
  }

  private void addPrepared(Answer.Prepared prepared) {
    String key =
        prepared.partitionKeyMarkers().isEmpty()
            ? ""
            : "; partition key " + prepared.partitionKeyMarkers();
    addLine("prepared " + header(prepared.markers()) + key);
    addLine("returns " + header(prepared.columns()));
  }

  private static String header(List<Answer.Column> columns) {
    if (columns.isEmpty()) {
      return "nothing";
    }
    Answer.Column first = columns.getFirst();
    boolean oneTable =
        columns.stream()
            .allMatch(
                each ->
                    each.keyspace().equals(first.keyspace()) && each.table().equals(first.table()));
    String table = oneTable ? first.keyspace() + "." + first.table() + ": " : "";
    return columns.stream()
        .map(
            each ->
                (oneTable ? "" : each.keyspace() + "." + each.table() + ".")
                    + Literal.escape(each.name())
                    + " "
                    + each.type())
        .collect(Collectors.joining(" | ", table, ""));
  }

  private void addRows(Answer.Rows rows) {
    addLine(header(rows.columns()));
    List<String> formatted = new ArrayList<>();
    int width = rows.columns().size();
    for (int from = 0; from < rows.cells().size(); from += width) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        Answer.Column column = rows.columns().get(i);
        String cell = Literal.format(column.type(), rows.cells().get(from + i));
        cells.add(directives.masks(column.name()) && !cell.equals("null") ? "*" : cell);
      }
      formatted.add(String.join(" | ", cells));
    }
    if (directives.has("sorted")) {
      formatted.sort(null);
    }
    if (!directives.has("hide-rows")) {
      formatted.forEach(this::addLine);
    }
  }
}
