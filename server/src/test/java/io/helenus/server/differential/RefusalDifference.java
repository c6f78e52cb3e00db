package io.helenus.server.differential;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether a statement is refused by one server only, or with another text, as
 * docs/compatibility.md says.
 *
 * @param text the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record RefusalDifference(String text, List<String> reference, List<String> subject) {
  private static final Pattern SELECT =
      Pattern.compile("(?is)^\\s*select\\b(?!.*\\btoken\\()(?!.*\\bin\\b).*");
  private static final Pattern LEVEL =
      Pattern.compile("! 1000 Cannot achieve consistency level .*");
  private static final Pattern NOT_A_ROW =
      Pattern.compile(
          "> \\w+\\.[^:|]+: .*|> (?:prepared|returns|with|warning:) .*|> -- page --"
              + "|> (?:0|null)(?: \\| (?:0|null))*");
  private static final Pattern SHORT_COLLECTION =
      Pattern.compile("! 2200 Not enough bytes to read a (?:list|set|map)");
  private static final Pattern SHORT_VECTOR =
      Pattern.compile("! 2200 Not enough bytes to read a vector<.*");
  private static final Pattern OPENED =
      Pattern.compile(
          "! 2000 line \\d+:\\d+ (?:mismatched|no viable alternative at) input '[\\[.]'.*");
  private static final Pattern SEMICOLON =
      Pattern.compile("! 2000 line \\d+:\\d+ (?:mismatched|no viable alternative at) input ';'.*");
  private static final Pattern SYNTAX = Pattern.compile("! 2000 line \\d+:\\d+ .*");
  private static final Pattern NOT_A_NUMBER =
      Pattern.compile("! 2000 Failed parsing statement: .* reason: NumberFormatException .*");
  private static final Pattern CONDITION_OR_IN = Pattern.compile("(?is).*\\b(?:if|in)\\b.*");
  private static final String ONLY_STATIC =
      "! 2200 Cannot restrict clustering columns when selecting only static columns";
  private static final Pattern BRACES_SELECTED =
      Pattern.compile("(?is)^\\s*select\\b.*\\{.+:.+\\}.*\\bfrom\\b.*");
  private static final Pattern HEXADECIMAL =
      Pattern.compile("(?is).*(?:=|\\bin *\\(.*) *0x.*|.*values *\\(.*0x.*");
  private static final Pattern TINYINT_IN_KEY =
      Pattern.compile("! 2200 Expected 1 byte for a tinyint \\(\\d+\\)");

  private static final Pattern NAMES =
      Pattern.compile(
          "(! 2200 .* (?:because it has dependent secondary indexes|with 'IS NOT NULL')) "
              + "\\((?:got: )?(.*?)(?: restricted illegally)?\\)");

  private static final Pattern VECTOR_SOUGHT =
      Pattern.compile(
          "! 2200 (?:Vector indexes only support ANN queries"
              + "|Use of ANN OF in an ORDER BY clause requires a LIMIT .* was 2147483647)");
  private static final Pattern PREPARED_OR_REFUSED =
      Pattern.compile("> (?:prepared|returns|with|warning:) .*|! .*");

  private static final Pattern SELECTED_BY_VIEW =
      Pattern.compile(
          "(! 2200 (?:Can only select columns by name|Cannot use aliases) when defining a"
              + " materialized view) \\(got (.*)\\)");

  private static final Pattern LIST_ELEMENT_SET =
      Pattern.compile(
          "(?is).*\\bset\\b(?:(?!\\bwhere\\b).)*\\[\\s*(?:\\?|:\\w+|-?\\d+)\\s*\\]\\s*=.*");
  private static final Pattern VALUE_REFUSED = Pattern.compile("! (?:1400|2200) .*");

  private static final Pattern UNSET = Pattern.compile("! 2200 Invalid unset value for column .*");
  private static final Pattern UNSET_BOUND = Pattern.compile("> with .*\\bunset\\b.*");
  private static final Pattern IN_OF_TUPLES =
      Pattern.compile("(?is).*\\bwhere\\b.*\\([^()]*\\)\\s*in\\b.*");

  boolean isAllowed() {
    return isKnownToBeEmpty()
        || isEmptyTakenForUnset()
        || isOf(LEVEL, VALUE_REFUSED) && LIST_ELEMENT_SET.matcher(text).matches()
        || isOf(SHORT_COLLECTION, SHORT_VECTOR)
        || isOf(OPENED, SEMICOLON)
        || isOf(SYNTAX, NOT_A_NUMBER)
        || isHexadecimalKey()
        || isOnlyStatic()
        || isOrderOfNames()
        || isObjectSelectedByView()
        || isVectorSought();
  }

  private boolean isOf(Pattern there, Pattern here) {
    return there.matcher(reference.getLast()).matches()
        && here.matcher(subject.getLast()).matches();
  }

  /** Whether Cassandra answers a read without asking replicas: of a table without rows to find. */
  private boolean isKnownToBeEmpty() {
    return SELECT.matcher(text).matches()
        && subject.stream().anyMatch(line -> LEVEL.matcher(line).matches())
        && subject.stream()
            .allMatch(line -> LEVEL.matcher(line).matches() || NOT_A_ROW.matcher(line).matches())
        && reference.stream().allMatch(line -> NOT_A_ROW.matcher(line).matches());
  }

  /** Whether an empty value in an IN of tuples is taken for an unset one there. */
  private boolean isEmptyTakenForUnset() {
    return IN_OF_TUPLES.matcher(text).matches()
        && !Difference.refused(subject)
        && subject.stream().noneMatch(line -> UNSET_BOUND.matcher(line).matches())
        && reference.stream().anyMatch(line -> UNSET.matcher(line).matches())
        && reference.stream()
            .allMatch(line -> UNSET.matcher(line).matches() || subject.contains(line));
  }

  /**
   * Whether the indexes of a column that is dropped, or the columns that a view must not restrict,
   * are in the order of a hash table there.
   */
  private boolean isOrderOfNames() {
    Matcher there = NAMES.matcher(reference.getLast());
    Matcher here = NAMES.matcher(subject.getLast());
    return there.matches()
        && here.matches()
        && there.group(1).equals(here.group(1))
        && Set.of(there.group(2).split(", ?")).equals(Set.of(here.group(2).split(", ?")));
  }

  /**
   * Whether a SELECT by a vector in a collection, which cannot be executed there, is not prepared.
   */
  private boolean isVectorSought() {
    return SELECT.matcher(text).matches()
        && VECTOR_SOUGHT.matcher(subject.getLast()).matches()
        && Difference.refused(reference)
        && reference.stream().allMatch(line -> PREPARED_OR_REFUSED.matcher(line).matches());
  }

  /** Whether an internal object is named there, which is not a column in the list of a view. */
  private boolean isObjectSelectedByView() {
    Matcher there = SELECTED_BY_VIEW.matcher(reference.getLast());
    Matcher here = SELECTED_BY_VIEW.matcher(subject.getLast());
    return there.matches()
        && here.matches()
        && there.group(1).equals(here.group(1))
        && there.group(2).startsWith("org.apache.cassandra.cql3.");
  }

  /**
   * Whether Cassandra takes the values of a map in braces, which are others, for static columns.
   */
  private boolean isOnlyStatic() {
    return reference.getLast().equals(ONLY_STATIC)
        && BRACES_SELECTED.matcher(text).matches()
        && !Difference.refused(subject);
  }

  /**
   * Whether a tinyint of a key has a wrong number of hexadecimal digits in a conditional write, or
   * in an IN, where Cassandra does not see it after one with the same first digits.
   */
  private boolean isHexadecimalKey() {
    return CONDITION_OR_IN.matcher(text).matches()
        && HEXADECIMAL.matcher(text).matches()
        && !Difference.refused(reference)
        && TINYINT_IN_KEY.matcher(subject.getLast()).matches();
  }
}
