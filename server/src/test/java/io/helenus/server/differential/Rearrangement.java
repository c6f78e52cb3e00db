package io.helenus.server.differential;

import io.helenus.server.conformance.Comparison;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether two answers show the same in another order or in other pages, where
 * docs/compatibility.md says that they may.
 *
 * @param text the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record Rearrangement(String text, List<String> reference, List<String> subject) {
  private static final String END_OF_PAGE = "> -- page --";
  private static final Pattern FIELDS = Pattern.compile("\\{\"?[fF]\\s?\\d+\"?: ");
  private static final Pattern DEFINITION =
      Pattern.compile("(?is)^\\s*(?:desc\\b|describe\\b|select .* from system_schema\\.views\\b)");
  private static final Pattern USER_TYPE = Pattern.compile("\\{\"?[fF]\\s?\\d+\"?: [^{}]*\\}");
  private static final Pattern NAMED_FIELDS = Pattern.compile("\\{.*\\}");
  private static final Pattern JSON_IN_ORDER =
      Pattern.compile("(?is)^\\s*select json \\* .* in .*order by");
  private static final Pattern LIMIT = Pattern.compile("(?is).*(?<!per partition) limit\\b.*");
  private static final Pattern JSON_ROW = Pattern.compile("> '\\{.*");
  private static final Pattern GROUPS = Pattern.compile("(?is)^\\s*select .* group by ");
  private static final Pattern DISTINCT = Pattern.compile("(?is)^\\s*select (?:json )?distinct .*");
  private static final Pattern IN = Pattern.compile("(?is).*\\bin\\b.*");
  private static final Pattern INTERNALS =
      Pattern.compile("(?is)^\\s*desc(?:ribe)? .* with internals.*");
  private static final Pattern TABLES =
      Pattern.compile(
          "(! 2200 Cannot .* user type .* (?:by the following tables:|as it is still used by"
              + " tables) )([^ ]+(?:, [^ ]+)+)");
  private static final Pattern DROPPED = Pattern.compile("ALTER TABLE \\S+ DROP ");

  boolean isAllowed() {
    return isOrderOfFields()
        || isOrderOfFieldsInView()
        || isOrderOfJson()
        || isPagedGroups()
        || isEmptyPages()
        || isOrderOfDropped()
        || isOrderOfTables();
  }

  /**
   * Whether only the fields of a user type's literal in a selector's name are ordered otherwise.
   */
  private boolean isOrderOfFields() {
    String expected = Difference.plain(Comparison.essence(reference));
    String actual = Difference.plain(Comparison.essence(subject));
    return FIELDS.matcher(text).find()
        && FIELDS.matcher(expected).find()
        && Arrays.equals(expected.chars().sorted().toArray(), actual.chars().sorted().toArray())
        && NAMED_FIELDS
            .matcher(expected)
            .replaceAll("")
            .equals(NAMED_FIELDS.matcher(actual).replaceAll(""));
  }

  /**
   * Whether only the fields of a user type's literal in a view's WHERE clause have another order.
   */
  private boolean isOrderOfFieldsInView() {
    return DEFINITION.matcher(text).find()
        && withSortedFields(reference).equals(withSortedFields(subject));
  }

  private static String withSortedFields(List<String> answer) {
    String text = String.join("\n", Comparison.essence(answer));
    for (Matcher literal = USER_TYPE.matcher(text); literal.find(); literal.reset(text)) {
      String sorted =
          literal
              .group()
              .replaceAll("[{}]", "")
              .chars()
              .sorted()
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      text =
          text.substring(0, literal.start()) + "<" + sorted + ">" + text.substring(literal.end());
    }
    return text;
  }

  /**
   * Whether only the order of the rows of SELECT JSON * … ORDER BY differs, or which come first.
   */
  private boolean isOrderOfJson() {
    if (!JSON_IN_ORDER.matcher(text).find()) {
      return false;
    }
    List<String> expected = sorted(Comparison.essence(reference));
    List<String> actual = sorted(Comparison.essence(subject));
    return LIMIT.matcher(text).matches()
        ? withoutContents(expected).equals(withoutContents(actual))
        : expected.equals(actual);
  }

  private static List<String> withoutContents(List<String> answer) {
    return answer.stream().map(line -> JSON_ROW.matcher(line).replaceAll("> row")).toList();
  }

  /**
   * Whether Cassandra returns all groups in one page: those of SELECT DISTINCT, and of partitions
   * selected by IN.
   */
  private boolean isPagedGroups() {
    return GROUPS.matcher(text).find()
        && (DISTINCT.matcher(text).matches() || IN.matcher(text).matches())
        && !reference.contains(END_OF_PAGE)
        && subject.contains(END_OF_PAGE)
        && reference.equals(inOnePage(Comparison.essence(subject)));
  }

  /**
   * Whether Cassandra returns nothing in several pages: one for each partition with static values,
   * beside an IN without values.
   */
  private boolean isEmptyPages() {
    return IN.matcher(text).matches()
        && reference.contains(END_OF_PAGE)
        && !subject.contains(END_OF_PAGE)
        && withoutEmptyPages(Comparison.essence(reference)).equals(Comparison.essence(subject));
  }

  private static List<String> withoutEmptyPages(List<String> answer) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      boolean empty =
          answer.get(i).equals(END_OF_PAGE)
              && i + 1 < answer.size()
              && answer.get(i + 1).equals(lines.getLast());
      if (empty) {
        i++;
      } else {
        lines.add(answer.get(i));
      }
    }
    return lines;
  }

  /** The rows of several pages, without what every page begins with. */
  private static List<String> inOnePage(List<String> answer) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      if (answer.get(i).equals(END_OF_PAGE)) {
        do {
          i++;
        } while (i < answer.size() && answer.get(i).startsWith("> warning: "));
        if (i < answer.size() && !lines.contains(answer.get(i))) {
          lines.add(answer.get(i)); // not the columns of the page before
        }
      } else {
        lines.add(answer.get(i));
      }
    }
    return lines;
  }

  /** Whether only the tables that use a type are in another order. */
  private boolean isOrderOfTables() {
    Matcher there = TABLES.matcher(reference.getLast());
    Matcher here = TABLES.matcher(subject.getLast());
    return there.matches()
        && here.matches()
        && there.group(1).equals(here.group(1))
        && sorted(List.of(there.group(2).split(", ", -1)))
            .equals(sorted(List.of(here.group(2).split(", ", -1))));
  }

  /** Whether only the dropped columns in DESCRIBE … WITH INTERNALS are ordered otherwise. */
  private boolean isOrderOfDropped() {
    String expected = String.join("\n", reference);
    String actual = String.join("\n", subject);
    return INTERNALS.matcher(text).find()
        && DROPPED.matcher(expected).find()
        && lines(expected).equals(lines(actual));
  }

  /** The lines of described statements, without the commas and quotes at their ends. */
  private static List<String> lines(String description) {
    return Arrays.stream(description.split("\n|\\\\n", -1))
        .map(line -> line.replaceAll("[,']$", ""))
        .sorted()
        .toList();
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }
}
