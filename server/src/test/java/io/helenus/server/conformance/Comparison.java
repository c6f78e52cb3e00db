package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares the answers of a server with the recorded ones of a script.
 *
 * <p>Of a syntax error, the code, the position and the offending token are compared, but not the
 * expected tokens or the quoted part of the statement. The order of a function's signatures and of
 * a range's columns is ignored, as Cassandra takes it from hash tables.
 *
 * @param script the script
 * @param mismatches the statements whose answers differ
 */
public record Comparison(Script script, List<Mismatch> mismatches) {
  private static final Pattern SYNTAX_ERROR =
      Pattern.compile(
          "! 2000 line (\\d+:\\d+) (?:no viable alternative at input|mismatched input"
              + "|extraneous input|missing .+ at|no viable alternative at character"
              + "|mismatched character) ('.*?'|'?<EOF>'?)(?: expecting .*)?(?: \\(.*\\))?",
          Pattern.DOTALL);

  private static final Pattern SIGNATURES =
      Pattern.compile("(known type signatures: |by following signatures: )(.*)(?=\\))");

  private static final Pattern BOUND =
      Pattern.compile(
          "(! 2200 More than one restriction was found for the (?:start|end) bound on |! 2200"
              + " Column \"(?=.* ,.*\" cannot be restricted by both ))(.*?)(|\" cannot be"
              + " restricted by both .*)");

  /** A statement whose answer differs. */
  record Mismatch(Script.Statement statement, List<String> actual) {}

  static Comparison of(Script script, List<List<String>> answers) {
    return of(script, answers, false);
  }

  /**
   * Compares the answers of a server that may have lost its connections in between, so that what it
   * says once a connection comes at other times.
   */
  static Comparison ofReconnected(Script script, List<List<String>> answers) {
    return of(script, answers, true);
  }

  private static Comparison of(Script script, List<List<String>> answers, boolean reconnected) {
    List<Mismatch> mismatches = new ArrayList<>();
    List<Script.Statement> statements = script.statements();
    for (int i = 0; i < statements.size(); i++) {
      List<String> expected = statements.get(i).answer();
      List<String> actual = answers.get(i);
      if (reconnected) {
        expected = withoutUseWarning(expected);
        actual = withoutUseWarning(actual);
      }
      if (!essence(expected).equals(essence(actual))) {
        mismatches.add(new Mismatch(statements.get(i), answers.get(i)));
      }
    }
    return new Comparison(script, mismatches);
  }

  private static List<String> withoutUseWarning(List<String> answer) {
    return answer.stream()
        .filter(line -> !line.startsWith("> warning: `USE <keyspace>` with prepared"))
        .toList();
  }

  /** The compared part of an answer. */
  public static List<String> essence(List<String> answer) {
    return answer.stream().map(Comparison::essence).toList();
  }

  /** The compared part of an answer line. */
  public static String essence(String line) {
    Matcher matcher = SYNTAX_ERROR.matcher(line);
    if (matcher.matches()) {
      return "! 2000 line " + matcher.group(1) + " at " + matcher.group(2).replace("'", "");
    }
    Matcher bound = BOUND.matcher(line);
    if (bound.matches()) {
      return bound.group(1) + sorted(bound.group(2), " ,") + bound.group(3);
    }
    Matcher signatures = SIGNATURES.matcher(line);
    return signatures.find()
        ? signatures.replaceFirst(
            "$1" + Matcher.quoteReplacement(sorted(signatures.group(2), ", (?=system\\.)")))
        : line;
  }

  private static String sorted(String list, String separator) {
    return Pattern.compile(separator)
        .splitAsStream(list)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  int failed() {
    return mismatches.size();
  }

  int passed() {
    return script.statements().size() - failed();
  }

  String summary() {
    return String.format(
        Locale.ROOT, "%-28s %4d passed, %3d failed", script.topic(), passed(), failed());
  }

  /** All mismatches as small diffs. */
  String report() {
    StringBuilder report = new StringBuilder();
    for (Mismatch mismatch : mismatches) {
      Script.Statement statement = mismatch.statement();
      report.append(script.path().getFileName()).append(':').append(statement.lineNumber());
      report.append('\n');
      statement.directives().forEach(each -> report.append("    @").append(each).append('\n'));
      statement.lines().forEach(line -> report.append("    ").append(line).append('\n'));
      appendDiff(report, statement.answer(), mismatch.actual());
    }
    return report.toString();
  }

  private static void appendDiff(StringBuilder report, List<String> expected, List<String> actual) {
    int head = 0;
    while (head < Math.min(expected.size(), actual.size())
        && expected.get(head).equals(actual.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < Math.min(expected.size(), actual.size()) - head
        && expected.get(expected.size() - 1 - tail).equals(actual.get(actual.size() - 1 - tail))) {
      tail++;
    }
    if (head > 0) {
      report.append("    ").append(expected.getFirst()).append(head > 1 ? " …\n" : "\n");
    }
    for (String line : expected.subList(head, expected.size() - tail)) {
      report.append("  - ").append(line).append('\n');
    }
    for (String line : actual.subList(head, actual.size() - tail)) {
      report.append("  + ").append(line).append('\n');
    }
  }
}
