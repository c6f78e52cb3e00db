package io.helenus.server.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether two answers differ only in what docs/compatibility.md says of conditions.
 *
 * @param text the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record ConditionDifference(String text, List<String> reference, List<String> subject) {
  private static final Pattern SEVERAL =
      Pattern.compile("(?is)\\bif\\b(?:(?:(?!;|\\bapply\\b).)*\\band\\b|.*\\bif\\b)");
  private static final Pattern CONDITIONS = Pattern.compile("(?is)\\bif\\b(.*)");
  private static final Pattern ON_ELEMENT =
      Pattern.compile("(?is)[\\s(](\"[^\"]+\"|\\w+)\\[[^\\]]*\\]\\s*([!<>]?=|[<>]|in\\b)");

  /** Operators and parts for which Cassandra takes unset values for empty ones. */
  private static final Pattern ON_PART = Pattern.compile("(?is)\\bif\\b.*(?:\\bcontains\\b|\\[)");

  private static final Pattern INVALID =
      Pattern.compile(
          "! 2200 Invalid (?:comparison with (?:null|an empty)|'unset' value in condition"
              + "|null value for \\w+ element access|negative list index|empty list index)");

  /** Types whose values are compared byte by byte. */
  private static final Set<String> BYTES = Set.of("ascii", "text", "blob");

  /** Other types whose values are equal only if their bytes are. */
  private static final Set<String> EXACT =
      Set.of(
          "bigint",
          "date",
          "inet",
          "int",
          "smallint",
          "time",
          "timestamp",
          "timeuuid",
          "tinyint",
          "uuid");

  boolean isAllowed() {
    return isOrderOfConditions() || isElementComparedAsKey() || isUnsetRefused();
  }

  /**
   * Whether, of several conditions on a row, one that does not hold and one with an invalid value,
   * or two with invalid values, were tested in different orders.
   */
  private boolean isOrderOfConditions() {
    String expected = String.join("\n", reference);
    String actual = String.join("\n", subject);
    return SEVERAL.matcher(text).find()
        && (isFailedOrInvalid(expected) && INVALID.matcher(actual).find()
            || INVALID.matcher(expected).find() && isFailedOrInvalid(actual));
  }

  private static boolean isFailedOrInvalid(String answer) {
    return answer.contains(": [applied] boolean") && answer.contains("\n> false")
        || INVALID.matcher(answer).find();
  }

  /** Whether an unset value, key or index is refused which Cassandra takes for an empty one. */
  private boolean isUnsetRefused() {
    List<List<String>> expected = executions(reference);
    List<List<String>> actual = executions(subject);
    if (!ON_PART.matcher(text).find() || expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      boolean refused =
          actual.get(i).getLast().equals("! 2200 Invalid 'unset' value in condition")
              && (expected.get(i).getLast().startsWith("> false")
                  || expected.get(i).getLast().equals("> true"));
      if (!refused && !actual.get(i).equals(expected.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The answers to each of the sets of values that a statement is executed with. */
  private static List<List<String>> executions(List<String> answer) {
    List<List<String>> executions = new ArrayList<>(List.of(new ArrayList<>()));
    for (String line : answer) {
      if (line.startsWith("> with ")) {
        executions.add(new ArrayList<>());
      }
      executions.getLast().add(line);
    }
    executions.removeIf(List::isEmpty);
    return executions;
  }

  /**
   * Whether a condition on the element of a map holds here or there only, and its values compare
   * otherwise as keys, by whose type Cassandra compares them.
   */
  private boolean isElementComparedAsKey() {
    Matcher conditions = CONDITIONS.matcher(text);
    if (Difference.refused(reference) || Difference.refused(subject) || !conditions.find()) {
      return false;
    }
    return ON_ELEMENT
        .matcher(conditions.group(1))
        .results()
        .anyMatch(each -> mayCompareAsKey(each.group(1).replace("\"", ""), each.group(2)));
  }

  private boolean mayCompareAsKey(String column, String operator) {
    Matcher map =
        Pattern.compile(
                "(?m)\\[applied\\] boolean[^\\n]* "
                    + Pattern.quote(column)
                    + " map<(\\w+(?:<[^|]*>)?), (.*?)>(?: \\||$)")
            .matcher(String.join("\n", reference) + "\n" + String.join("\n", subject));
    if (!map.find() || map.group(1).equals(map.group(2))) {
      return false;
    }
    String value = map.group(2);
    boolean equality = !operator.startsWith("<") && !operator.startsWith(">");
    return !BYTES.contains(map.group(1))
        || !BYTES.contains(value) && !(equality && EXACT.contains(value));
  }
}
