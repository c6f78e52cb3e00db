package io.helenus.server.differential;

import io.helenus.server.conformance.Comparison;
import io.helenus.server.conformance.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two different answers to one statement.
 *
 * @param statement the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record Difference(Script.Statement statement, List<String> reference, List<String> subject) {
  private static final Pattern QUOTED = Pattern.compile("'(?:[^']|'')*'|0x[0-9a-fA-F]*");
  private static final Pattern GENERATED =
      Pattern.compile("\"?\\b(?:key_|select)?[pcsvtufm]\\d+(?: Q|é)?\\b\"?|differential_\\d+x?");
  private static final Pattern NUMBER = Pattern.compile("-?\\b\\d[\\w.:+-]*");
  private static final Pattern TYPE =
      Pattern.compile(
          "\\b(?:ascii|bigint|blob|boolean|date|decimal|double|duration|float|inet|int|smallint"
              + "|text|time|timestamp|timeuuid|tinyint|uuid|varchar|varint)\\b");
  private static final Pattern CLASH =
      Pattern.compile(
          "cannot be restricted by (?:more than one relation if it includes"
              + "|two inequalities not starting with the same column)");
  private static final List<String> CRASHES =
      List.of(
          "! 0000",
          "! 1500",
          "! 1300",
          "! 1200 Operation timed out",
          "! no answer",
          "! 2000 Failed parsing statement",
          "NullPointerException",
          "threw an error: java.lang.NumberFormatException");
  private static final Pattern TOKEN_RANGE_OF_NAMED_KEY =
      Pattern.compile(
          "(?i)(?=.*token\\([^()]*\\) *>)(?=.*token\\([^()]*\\) *<).*\"?p\\d+(?: Q|é)?\"?"
              + " +(?:=|in).*",
          Pattern.DOTALL);
  private static final Pattern NOTHING_AGGREGATED =
      Pattern.compile("> (?:0|null)(?: \\| (?:0|null))*");
  private static final Pattern AMBIGUOUS =
      Pattern.compile("! 2200 Ambiguous '(.)' operation with args ([^ ?]+) and ([^ ?]+): use type");
  private static final Pattern UNKNOWN_FUNCTION =
      Pattern.compile("! 2200 Unknown function (\\S+) called");
  private static final Pattern OF_VIEW = Pattern.compile("(?i)\\bfrom (?:m\\d+|\"Mv\\d+\")");
  private static final Pattern JSON_VALUE =
      Pattern.compile("! 2200 Error decoding JSON value for ([^:]+): ");
  private static final Pattern JSON_DURATION =
      Pattern.compile("! 2200 Unable to convert '[^']*' to a duration");
  private static final Pattern UNFINISHED =
      Pattern.compile(
          "! 2000 line \\d+:\\d+ (?:mismatched character '<EOF>' .*|mismatched character '.'"
              + " expecting '\\$'|no viable alternative at character .*)");
  private static final Pattern SET_TWICE =
      Pattern.compile("! 2000 Multiple incompatible setting of column (\\S+)");
  private static final String JSON_TEXT = "! 2200 Could not decode JSON string as a map: ";
  private static final String JSON_STRING = "' failed: Could not decode JSON string '";
  private static final Pattern CONTAINS =
      Pattern.compile("(?is)^select .* contains .* allow filtering");
  private static final Pattern LIMIT = Pattern.compile("(?is)\\blimit\\b");
  private static final Pattern NOTHING_WRITTEN = Pattern.compile("(?i)unset|\\{\\}|\\[\\]");
  private static final Pattern NO_KEYS =
      Pattern.compile("(?is)\\bin *\\( *\\)|\\bin +[?:].*\\[]|\\[].*\\bin +[?:]");
  private static final String READ_AT_ANY =
      "! 2200 Write operation require a read but consistency ANY is not supported on reads";
  private static final Pattern AFTER_LAST_TOKEN =
      Pattern.compile("(?is)(?=.*\\b9223372036854775807\\b).*token\\([^()]*\\) *>(?!=)");
  private static final Pattern HEADER = Pattern.compile("> \\w+\\.[^:]+: .*");
  private static final Pattern CAST_REFUSED = Pattern.compile("! 2200 .* cannot be cast to (\\w+)");
  private static final String NULL_IN_CONDITION =
      "! 2200 Invalid null value in condition for column";
  private static final Pattern DELETION_OF_RANGE =
      Pattern.compile("(?is)\\bdelete\\b.*\\bwhere\\b.*[<>]");
  private static final Pattern NEGATIVE_NAN =
      Pattern.compile("raw:0x(?:ffc00000|fff8000000000000)");
  private static final Pattern COMPUTED =
      Pattern.compile("(?is)^\\s*select\\b.*(?:\\w\\(| [-+*/%] )");
  private static final Pattern INSERT_JSON =
      Pattern.compile("(?is)\\binsert\\s+into\\s+\\S+\\s+json\\b");
  private static final Pattern EMPTY_IN_KEY =
      Pattern.compile("! 2200 Expected (?:2 bytes for a smallint|1 byte for a tinyint) \\(0\\)");
  private static final Pattern HEXADECIMAL = Pattern.compile("(?i)\\b0x");
  private static final Pattern INVALID_TUPLE =
      Pattern.compile(
          "! 2200 (?:Not enough bytes to read (?:size of )?\\d+th component"
              + "|Invalid remaining data after end of tuple value)");
  private static final Pattern TUPLE_AS_TEXT =
      Pattern.compile("'[^']*:[^']*'|(?<![\\w.])-?\\d+(?:\\.\\d+|[a-z]+)?(?![\\w.])");
  private static final Pattern EMPTY_ELEMENT =
      Pattern.compile(
          "! 2200 (?:Failure validating the [^;]*; )*"
              + "(?:Expected 2 bytes for a smallint|Expected 1 byte for a tinyint"
              + "|Expected at least 3 bytes for a duration|Invalid empty vector value"
              + "|Not enough bytes to read a (?:list$|set$|map$|vector<))");
  private static final String COLUMNS_OF_RANGE =
      "! 2200 Range deletions are not supported for specific columns";
  private static final Pattern DELETED_COLUMNS =
      Pattern.compile("(?is)\\bdelete\\s+(?!from\\b)\\S.*\\bfrom\\b");
  private static final Pattern POWER_OF_TEN = Pattern.compile("\\b1\\.0E([+-]10)\\b");
  private static final Pattern SHORT_FLOAT = Pattern.compile("\\b\\d\\.\\d{1,8}E-?\\d+\\b");
  private static final Pattern SHORT_DOUBLE = Pattern.compile("\\b\\d\\.\\d{9,17}E-?\\d+\\b");
  private static final Pattern CAST_NAME = Pattern.compile("cast\\(([^()|]+) as \\w+\\)");
  private static final List<String> FOUND_BY_THE_PARSER =
      List.of("! 2200 Multiple PRIMARY KEY specified", "! 2200 Duplicate column");
  private static final String[] SHAPES = {
    "COUNT(",
    "DISTINCT",
    " IN ",
    "TOKEN(",
    "GROUP BY",
    "ORDER BY",
    "PER PARTITION",
    " LIMIT",
    "FILTERING",
    "INSERT",
    "UPDATE",
    "DELETE",
    "BATCH",
    "SYSTEM_SCHEMA",
    "DESC"
  };

  /** Whether the compared parts of the answers differ. */
  static boolean differ(List<String> reference, List<String> subject) {
    return !Comparison.essence(reference).equals(Comparison.essence(subject));
  }

  /**
   * Whether this is a deliberate difference of Helenus; see docs/compatibility.md.
   *
   * <ul>
   *   <li>an unsupported feature is rejected by name;
   *   <li>where Cassandra exposes an exception, Helenus reports a proper error;
   *   <li>Cassandra rejects its own paging states of some grouped reads;
   *   <li>if several restrictions conflict, the one Cassandra names depends on its hash tables;
   *   <li>min and max of a timeuuid have a type that drivers do not know;
   *   <li>a write that restricts the token in addition to its key is rejected;
   *   <li>numeric table options must not be NaN;
   *   <li>a DESC column cannot be cast to its own type, or only as if to another, and a calculation
   *       with constants for it is ambiguous;
   *   <li>a reversed token range beside a specific key wraps around the ring;
   *   <li>a DELETE of columns of a range of rows, and a SELECT by a vector in a collection with an
   *       index, are already rejected when they are prepared;
   *   <li>the consistency level of a write that changes nothing, or of a read of the tokens after
   *       the last one, is not checked;
   *   <li>Cassandra orders the rows of SELECT JSON * of several partitions by their text;
   *   <li>Cassandra returns all groups of SELECT DISTINCT, or of partitions selected by IN, in one
   *       page;
   *   <li>of a text that is not JSON, the position of the mistake may differ;
   *   <li>of several conditions on a row, the first in the statement counts, not in a hash table;
   *   <li>a tuple written as a blob, text or number is validated;
   *   <li>conditions on elements compare them by their own type, not by that of the keys;
   *   <li>CONTAINS does not find elements that have been removed;
   *   <li>of two forms of a clustering value, the last one is returned;
   *   <li>a row of which only older, unselected cells are alive is returned;
   *   <li>the exponent of a logarithm that is zero, and the text of an exception, vary there;
   *   <li>of several values of a JSON document that are wrong, either may be reported;
   *   <li>the name of {@code to_json} and {@code from_json} in Cassandra is the one used first
   *       since its start;
   *   <li>the fields in a literal of a user type that names a selector, or in the WHERE clause of a
   *       view, have the order of a hash table there; what a view selects besides columns is named
   *       otherwise;
   *   <li>Cassandra reports some mistakes in definitions while parsing, before those of syntax; a
   *       column that is set twice, after a comment without an end or a character that is no token;
   *   <li>dropped columns are described in the order of a hash table there, and tables that use a
   *       type are listed in the order of their last changes;
   *   <li>the text of a float may be longer there;
   *   <li>a NaN that is computed may have the other sign;
   *   <li>a null end of a range in a DELETE is refused;
   *   <li>the empty value of a smallint or tinyint, which JSON can write, is refused in a key;
   *   <li>a batch is measured before its statements for one row are merged;
   *   <li>a null in a list of a select list is null in JSON;
   *   <li>the indexes of a column that is dropped, and the columns that a view must not restrict,
   *       are named in the order of a hash table there;
   *   <li>a read that Cassandra knows to be empty needs its consistency level; a vector that is too
   *       short is named in a collection too; a semicolon after a selection of an element, and a
   *       number that is too large, are reported before other mistakes of syntax; a tinyint of a
   *       key has two hexadecimal digits in conditional writes too.
   * </ul>
   */
  boolean isAllowed() {
    String expected = String.join("\n", reference);
    String actual = String.join("\n", subject);
    boolean crash =
        CRASHES.stream().anyMatch(expected::contains)
            || expected.contains("! 000a Invalid value for the paging state");
    boolean clash = CLASH.matcher(expected).find() && CLASH.matcher(actual).find();
    boolean parserFirst =
        FOUND_BY_THE_PARSER.stream().anyMatch(expected::contains) && actual.contains("! 2000");
    return actual.contains("not supported by this version of Helenus")
        || crash
        || actual.contains("The token function cannot be used in WHERE clauses")
        || actual.contains("(got NaN)")
        || isNotANumber(actual)
        || isColumnsOfRange(actual)
        || isUncheckedLevel(expected)
        || clash
        || isCastOfDescending(expected, actual)
        || isEmptyForReversedTokens()
        || parserFirst
        || isOtherValueOfJson(expected, actual)
        || isSetTwiceBeforeEnd(expected, actual)
        || expected.contains(JSON_TEXT) && actual.contains(JSON_TEXT)
        || expected.contains(JSON_STRING) && actual.contains(JSON_STRING)
        || isRemovedElement()
        || isFormOfJson()
        || isInvalidTuple(actual)
        || isNullBoundOfDeletion(expected, actual)
        || isEmptyInKeyOfJson(expected, actual)
        || shortened(expected).equals(shortened(actual))
        || isSignOfNotANumber(expected, actual)
        || new BatchSizeDifference(statement, reference, subject).isAllowed()
        || new ConditionDifference(statement.text(), reference, subject).isAllowed()
        || new Rearrangement(statement.text(), reference, subject).isAllowed()
        || new RowDifference(statement, reference, subject).isAllowed()
        || new RefusalDifference(statement.text(), reference, subject).isAllowed()
        || new VaryingText(statement.text(), reference, subject).isAllowed()
        || new MaskDifference(statement.text(), reference, subject).isAllowed()
        || expected.contains("LegacyTimeUUIDType");
  }

  /** Whether a DELETE of columns of a range of rows is rejected, perhaps in a BATCH message. */
  private boolean isColumnsOfRange(String actual) {
    return actual.contains(COLUMNS_OF_RANGE)
        && DELETED_COLUMNS.matcher(String.join(" ", statement.lines())).find();
  }

  /**
   * An answer with floats and doubles as Java writes them since version 19, later than Cassandra's.
   */
  private static String shortened(String answer) {
    String floats =
        SHORT_FLOAT
            .matcher(answer)
            .replaceAll(each -> Float.toString(Float.parseFloat(each.group())));
    String doubles =
        SHORT_DOUBLE
            .matcher(floats)
            .replaceAll(each -> Double.toString(Double.parseDouble(each.group())));
    return POWER_OF_TEN.matcher(doubles).replaceAll("1E$1");
  }

  /** Whether a NaN that is computed has the other sign: Java's compilers swap operands. */
  private boolean isSignOfNotANumber(String expected, String actual) {
    return COMPUTED.matcher(statement.text()).find()
        && NEGATIVE_NAN
            .matcher(expected)
            .replaceAll("NaN")
            .equals(NEGATIVE_NAN.matcher(actual).replaceAll("NaN"));
  }

  /** Whether a table option is refused as it is not a number. */
  private boolean isNotANumber(String actual) {
    return actual.contains("! 2300")
        && (actual.contains(" NaN must be between ")
            || actual.contains("min_compress_ratio can either be")
                && statement.text().contains("'min_compress_ratio': 'NaN'"));
  }

  /** Whether a null end of a range is refused in a DELETE that does not succeed there either. */
  private boolean isNullBoundOfDeletion(String expected, String actual) {
    return expected.contains("! 1100 Operation timed out")
        && actual.contains(NULL_IN_CONDITION)
        && DELETION_OF_RANGE.matcher(statement.text()).find();
  }

  /**
   * Whether the empty value of a type without one, which JSON can write, is refused in a key: first
   * of all, and also if the statement is conditional.
   */
  private boolean isEmptyInKeyOfJson(String expected, String actual) {
    String text = statement.text();
    return EMPTY_IN_KEY.matcher(actual).find()
        && INSERT_JSON.matcher(text).find()
        && (refused(reference) || text.toLowerCase(Locale.ROOT).contains("if not exists"));
  }

  private boolean isFormOfJson() {
    return plain(Comparison.essence(reference)).equals(plain(Comparison.essence(subject)));
  }

  /** An answer in which JSON functions have the names that Helenus gives them. */
  static String plain(List<String> answer) {
    return String.join("\n", answer).replace("fromjson", "from_json").replace("tojson", "to_json");
  }

  /**
   * Whether the values of different columns in a JSON document are reported; the report of a
   * duration does not name its column.
   */
  private boolean isOtherValueOfJson(String expected, String actual) {
    Matcher there = JSON_VALUE.matcher(expected);
    Matcher here = JSON_VALUE.matcher(actual);
    if (there.find() && here.find()) {
      return !there.group(1).equals(here.group(1));
    }
    return INSERT_JSON.matcher(String.join(" ", statement.lines())).find()
        && (JSON_DURATION.matcher(expected).find() && here.reset().find()
            || there.reset().find() && JSON_DURATION.matcher(actual).find());
  }

  /** Whether a column that is set twice is reported before a comment or string without an end. */
  private boolean isSetTwiceBeforeEnd(String expected, String actual) {
    if (!UNFINISHED.matcher(expected).matches()) {
      return false;
    }
    Matcher twice = SET_TWICE.matcher(actual);
    if (!twice.matches()) {
      return actual.equals("! 2000 Bind variables cannot be used for table names");
    }
    String set = "(?<!\\w)\"?" + Pattern.quote(twice.group(1)) + "\"?\\s*=";
    return Pattern.compile("(?is)\\bset\\b.*" + set + "(?:(?!\\bwhere\\b).)*" + set)
        .matcher(statement.text())
        .find();
  }

  /** Whether the subject rejects the bytes of a tuple that is written as a constant. */
  private boolean isInvalidTuple(String actual) {
    return TUPLE_AS_TEXT.matcher(statement.text()).find() && EMPTY_ELEMENT.matcher(actual).find()
        || HEXADECIMAL.matcher(statement.text()).find() && INVALID_TUPLE.matcher(actual).find();
  }

  /**
   * Whether Cassandra also returns rows of collections that contained an element, or counts them
   * for the limit. Of several executions, both may refuse the same ones.
   */
  private boolean isRemovedElement() {
    if (!CONTAINS.matcher(statement.text()).find()
        || !refusals(reference).equals(refusals(subject))) {
      return false;
    }
    boolean returned = subject.size() < reference.size() && reference.containsAll(subject);
    boolean counted =
        LIMIT.matcher(statement.text()).find()
            && reference.size() < subject.size()
            && subject.containsAll(reference);
    return returned || counted;
  }

  /**
   * Whether Cassandra rejects the cast of a DESC column to its own type, or names its result
   * otherwise, or rejects a calculation with such a column.
   */
  private boolean isCastOfDescending(String expected, String actual) {
    if (CAST_NAME.matcher(expected).replaceAll("$1").equals(actual)) {
      return true;
    }
    if (isCalculationForClustering(expected)) {
      Matcher unknown = UNKNOWN_FUNCTION.matcher(actual);
      return !subject.getFirst().startsWith("!")
          || unknown.matches() && expected.contains(" " + unknown.group(1) + "(");
    }
    boolean refusedThere = expected.contains("! 2200 Invalid call to function system.cast_as_");
    Matcher cast = CAST_REFUSED.matcher(expected);
    boolean castRefused = cast.find() && isOfType(actual, cast.group(1).replace("varchar", "text"));
    return refusedThere && (!refused(subject) || actual.contains("! 2200 ")) || castRefused;
  }

  /** Whether only the reference knows the mistake that it names. */
  boolean isMistakeOfReference() {
    return isCalculationForClustering(String.join("\n", reference));
  }

  /**
   * Whether Cassandra rejects a calculation that a clustering column is compared with or set to.
   */
  private boolean isCalculationForClustering(String expected) {
    Matcher ambiguous = AMBIGUOUS.matcher(expected);
    if (!ambiguous.find()) {
      return false;
    }
    StringBuilder calculation = new StringBuilder();
    for (int group : new int[] {2, 1, 3}) {
      calculation.append("\\s*").append(Pattern.quote(ambiguous.group(group)));
    }
    String column = clusteringColumn();
    String compared = column + "\\)? *[<>=]=? *\\(?" + calculation;
    String inTuples = "(?is)\\([^()]*" + column + "[^()]*\\) *(?:in|[<>=]=?) *\\(.*" + calculation;
    String inList = "(?is)" + column + " +in *\\((?:[^()]*,)?" + calculation;
    String inserted =
        "(?is)insert into [^(]*\\([^)]*" + column + "[^)]*\\) values .*" + calculation;
    return Pattern.compile(compared + "|" + inTuples + "|" + inList + "|" + inserted)
        .matcher(statement.text())
        .find();
  }

  /** A pattern for the name of a clustering column, which may be any column in a view. */
  private String clusteringColumn() {
    String kind = OF_VIEW.matcher(statement.text()).find() ? "[pcv]" : "c";
    return "(?:\\bkey_|\"select|\"|\\b)" + kind + "\\d+(?: Q|é)?\"?";
  }

  /** Whether a column of an accepted result has this type, or the result is JSON. */
  private static boolean isOfType(String answer, String type) {
    return Pattern.compile("(?m)^> [^\\n]* (?:" + type + "|\\[json\\] text)(?: \\||$)")
        .matcher(answer)
        .find();
  }

  /**
   * Whether the statement names keys and a range of tokens, and the subject returns no rows, as if
   * the range were reversed.
   */
  private boolean isEmptyForReversedTokens() {
    return TOKEN_RANGE_OF_NAMED_KEY.matcher(statement.text()).matches()
        && subject.stream()
            .allMatch(
                line ->
                    reference.contains(line)
                        || NOTHING_AGGREGATED.matcher(line).matches()
                        || reference.contains("! 2200 Key may not be empty")
                        || String.join("", reference).contains("! 2200 Cannot page queries"));
  }

  /**
   * Whether values are unset or empty collections, and Cassandra checks the level of a write that
   * changes nothing, as an IN without keys is; or of a read of the tokens after the last one.
   */
  private boolean isUncheckedLevel(String expected) {
    String sent = statement.directives() + statement.text();
    if (expected.contains(READ_AT_ANY)) {
      return NO_KEYS.matcher(sent).find() && subject.contains("> done");
    }
    return expected.contains("! 1000 Cannot achieve consistency level")
        && (NOTHING_WRITTEN.matcher(sent).find() && subject.contains("> done")
            || AFTER_LAST_TOKEN.matcher(sent).find()
                && subject.stream()
                    .allMatch(
                        line ->
                            reference.contains(line)
                                || HEADER.matcher(line).matches()
                                || NOTHING_AGGREGATED.matcher(line).matches()));
  }

  /** Whether exactly one of the servers rejected the statement. */
  boolean isOfAcceptance() {
    return refused(reference) != refused(subject);
  }

  private static List<String> refusals(List<String> answer) {
    return answer.stream().filter(line -> line.startsWith("!")).toList();
  }

  static boolean refused(List<String> answer) {
    return answer.stream().anyMatch(line -> line.startsWith("!"));
  }

  /** A key that differences with the same cause are likely to share. */
  String kind() {
    List<String> left = Comparison.essence(reference);
    List<String> right = Comparison.essence(subject);
    int at = 0;
    while (at < left.size() && at < right.size() && left.get(at).equals(right.get(at))) {
      at++;
    }
    String from = at < left.size() ? left.get(at) : "nothing more";
    String to = at < right.size() ? right.get(at) : "nothing more";
    boolean rows = !from.startsWith("!") && !to.startsWith("!");
    return (rows ? shape() + ": " : "") + general(from) + " ⇒ " + general(to);
  }

  private String shape() {
    String text = statement.text().toUpperCase(Locale.ROOT);
    List<String> shapes = new ArrayList<>();
    for (String shape : SHAPES) {
      if (text.contains(shape)) {
        shapes.add(shape.strip());
      }
    }
    for (String directive : statement.directives()) {
      if (directive.startsWith("page") || directive.startsWith("prot")) {
        shapes.add(directive);
      }
    }
    return shapes.toString();
  }

  private static String general(String line) {
    String text = GENERATED.matcher(QUOTED.matcher(line).replaceAll("…")).replaceAll("X");
    text = TYPE.matcher(NUMBER.matcher(text).replaceAll("N")).replaceAll("T");
    return text.startsWith("!") ? line.substring(0, Math.min(6, line.length())) + text : text;
  }

  /** The statement in the format of a conformance script, and both answers. */
  String report() {
    StringBuilder report = new StringBuilder();
    statement.directives().forEach(each -> report.append('@').append(each).append('\n'));
    statement.lines().forEach(each -> report.append(each).append('\n'));
    reference.forEach(each -> report.append("  reference ").append(each).append('\n'));
    subject.forEach(each -> report.append("  subject   ").append(each).append('\n'));
    return report.toString();
  }
}
