package io.helenus.server.differential;

import io.helenus.server.conformance.Script;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether two answers differ only in the size of a batch: Cassandra merges the statements
 * that write one row, or delete ranges of one partition, before it measures a batch, and counts the
 * partitions to which a statement writes nothing.
 *
 * @param statement a BATCH statement or message
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record BatchSizeDifference(
    Script.Statement statement, List<String> reference, List<String> subject) {
  private static final Pattern SIZE =
      Pattern.compile("> warning: Batch for \\[(.*)] is of size (\\d+), exceeding .*");
  private static final Pattern PARTITIONS =
      Pattern.compile("> warning: Unlogged batch covering (\\d+) partitions detected against .*");
  private static final Pattern NOTHING = Pattern.compile("\\{}|\\[]|\\bunset\\b");
  private static final Pattern KEY_COLUMN = Pattern.compile("\"?(?:key_|select)?[pc]\\d.*");

  /** Simple constants of one type are equal only if they are written alike. */
  private static final Pattern CONSTANT = Pattern.compile("'.*'|-?\\w[\\w.:+-]*", Pattern.DOTALL);

  /**
   * A statement of the batch: its table, and the constants that its key columns are equal to, as
   * far as they are written in it.
   */
  private record Write(String table, Map<String, String> keys) {
    boolean mayMeet(Write other) {
      return table.equals(other.table)
          && keys.entrySet().stream()
              .allMatch(
                  each ->
                      other
                          .keys
                          .getOrDefault(each.getKey(), each.getValue())
                          .equals(each.getValue()));
    }
  }

  boolean isAllowed() {
    return isOfEmptyWrites()
        || bytes(reference) < bytes(subject)
            && withoutSize(reference).equals(withoutSize(subject))
            && writesARowTwice();
  }

  /** Whether only the reference warns of many partitions, of which a statement may change none. */
  private boolean isOfEmptyWrites() {
    return partitions(subject) < partitions(reference)
        && withoutPartitions(reference).equals(withoutPartitions(subject))
        && NOTHING.matcher(String.join("\n", statement.lines())).find();
  }

  private static int partitions(List<String> answer) {
    return answer.stream()
        .map(PARTITIONS::matcher)
        .filter(Matcher::matches)
        .mapToInt(each -> Integer.parseInt(each.group(1)))
        .sum();
  }

  private static List<String> withoutPartitions(List<String> answer) {
    return answer.stream().filter(line -> !PARTITIONS.matcher(line).matches()).toList();
  }

  private boolean writesARowTwice() {
    List<Write> writes = new ArrayList<>();
    for (List<StatementParts.Token> each : statements()) {
      Write write = write(each);
      if (writes.stream().anyMatch(write::mayMeet)) {
        return true;
      }
      writes.add(write);
    }
    return false;
  }

  /** The tokens of each INSERT, UPDATE and DELETE. */
  private List<List<StatementParts.Token>> statements() {
    List<List<StatementParts.Token>> statements = new ArrayList<>();
    for (StatementParts.Token token : StatementParts.tokens(String.join("\n", statement.lines()))) {
      if (List.of("INSERT", "UPDATE", "DELETE").contains(token.keyword())) {
        statements.add(new ArrayList<>());
      }
      if (!statements.isEmpty()) {
        statements.getLast().add(token);
      }
    }
    return statements;
  }

  private static Write write(List<StatementParts.Token> tokens) {
    String before = tokens.getFirst().keyword().equals("UPDATE") ? "UPDATE" : "FROM|INTO";
    String table = "";
    Map<String, String> keys = new HashMap<>();
    List<String> columns = new ArrayList<>();
    for (int i = 1; i < tokens.size(); i++) {
      StatementParts.Token token = tokens.get(i);
      if (table.isEmpty() && tokens.get(i - 1).keyword().matches(before)) {
        boolean qualified = i + 2 < tokens.size() && tokens.get(i + 1).text().equals(".");
        String name = tokens.get(qualified ? i + 2 : i).text();
        table = name.substring(name.lastIndexOf('.') + 1);
      } else if (token.keyword().equals("VALUES")) {
        putValues(columns, tokens.subList(i + 2, tokens.size()), keys);
      } else if (token.depth() == 1 && tokens.getFirst().keyword().equals("INSERT")) {
        columns.add(token.text());
      } else if (token.text().equals("=") && i + 1 < tokens.size()) {
        put(tokens.get(i - 1).text(), tokens, i + 1, keys);
      }
    }
    return new Write(table, keys);
  }

  private static void putValues(
      List<String> columns, List<StatementParts.Token> values, Map<String, String> keys) {
    columns.removeIf(","::equals);
    int column = 0;
    for (int i = 0; i < values.size() && values.get(i).depth() > 0; i++) {
      boolean first =
          i == 0 || values.get(i - 1).depth() == 1 && values.get(i - 1).text().equals(",");
      if (first && column < columns.size()) {
        put(columns.get(column++), values, i, keys);
      }
    }
  }

  /** Puts a key column if the value at a position is a constant and nothing else. */
  private static void put(
      String column, List<StatementParts.Token> tokens, int at, Map<String, String> keys) {
    String next = at + 1 < tokens.size() ? tokens.get(at + 1).keyword() : "";
    boolean alone =
        next.isEmpty() || next.matches("[,);@]|AND|IF|APPLY|INSERT|UPDATE|DELETE|BEGIN");
    String value = tokens.get(at).text();
    if (alone && KEY_COLUMN.matcher(column).matches() && CONSTANT.matcher(value).matches()) {
      keys.put(column.replace("\"", ""), value);
    }
  }

  /** The size in the warning; 0 if there is none. */
  private static long bytes(List<String> answer) {
    return answer.stream()
        .map(SIZE::matcher)
        .filter(Matcher::matches)
        .mapToLong(matcher -> Long.parseLong(matcher.group(2)))
        .sum();
  }

  private static List<String> withoutSize(List<String> answer) {
    return answer.stream().filter(line -> !SIZE.matcher(line).matches()).toList();
  }
}
