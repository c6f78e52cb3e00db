package io.helenus.server.differential;

import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether the rows of two answers differ only as docs/compatibility.md says: in the form of a
 * clustering value, in rows of which only older, unselected cells are alive, in those that
 * Cassandra does not find with a legacy index on a static column, or in empty elements of lists.
 *
 * @param statement the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record RowDifference(Script.Statement statement, List<String> reference, List<String> subject) {
  private static final Pattern HEADER = Pattern.compile("> (?:returns )?\\w+\\.\\w+: (.*)");
  private static final Pattern SEPARATOR = Pattern.compile(" \\| ");
  private static final Pattern TUPLE_IN_KEY =
      Pattern.compile("\"?(?:key_|select)?c\\d+(?: Q|é)?\"? tuple<.*");
  private static final Pattern USER_TYPE_IN_KEY =
      Pattern.compile("\"?(?:key_|select)?c\\d+(?: Q|é)?\"? differential_\\d+x?\\.u\\d+");
  private static final Pattern LAST_NULLS = Pattern.compile("(?:, (?:\"[^\"]*\"|\\w+): null)+}$");
  private static final Pattern BOOLEAN_IN_KEY =
      Pattern.compile("\"?(?:key_|select)?c\\d+(?: Q|é)?\"? boolean");
  private static final Pattern FRACTION_IN_KEY =
      Pattern.compile("\"?(?:key_|select)?c\\d+(?: Q|é)?\"? (?:float|double)");
  private static final Pattern INTEGER_IN_KEY =
      Pattern.compile("\"?(?:key_|select)?c\\d+(?: Q|é)?\"? varint");
  private static final Pattern ODD_INTEGER = Pattern.compile("raw:0x((?:[0-9a-f]{2})+)");
  private static final Pattern ODD_NAN =
      Pattern.compile("raw:0x[7f]f(?:[89a-f][0-9a-f]{5}|f[0-9a-f]{13})");
  private static final Pattern ODD_TRUE = Pattern.compile("raw:0x(?!00)[0-9a-f]{2}");
  private static final Pattern KEY = Pattern.compile("\"?(?:key_|select)?[pcs]\\d+(?: Q|é)?\"? .*");
  private static final Pattern NO_ROW =
      Pattern.compile("> (?:returns |with |prepared |\\w+\\.\\w+: ).*");
  private static final Pattern STATIC_AND_CLUSTERING =
      Pattern.compile(
          "(?is)\\bwhere\\b(?=.*\\b(?:key_|select)?s\\d+[^\\w]*(?:=|contains))(?=.*\\b(?:key_|select)?p\\d+[^\\w]*=)"
              + "(?=.*\\b(?:key_|select)?c\\d+[^\\w]*(?:[<>=]|in\\b)).*");
  private static final Pattern EMPTY_ELEMENT =
      Pattern.compile("(?<=\\[|\\[.{0,999}, )(?:empty|\"\")(?=, |])");
  private static final String END_OF_PAGE = "> -- page --";
  private static final Pattern SELECT = Pattern.compile("(?is)^\\s*select\\b.*");

  boolean isAllowed() {
    return SELECT.matcher(statement.text()).matches()
        && !Difference.refused(reference)
        && !Difference.refused(subject)
        && (isFormOfKey()
            || hasRowsOfUnselectedCells()
            || isLostByStaticIndex()
            || hasEmptyElements());
  }

  /** Whether elements of lists that are empty here are null there. */
  private boolean hasEmptyElements() {
    return subject.stream()
        .map(line -> EMPTY_ELEMENT.matcher(line).replaceAll("null"))
        .toList()
        .equals(reference);
  }

  /**
   * Whether clustering columns differ only in the nulls at the ends of tuples and user types, in
   * the bytes of booleans that are true, in those of a NaN, and in leading bytes of integers.
   */
  private boolean isFormOfKey() {
    if (reference.size() != subject.size()) {
      return false;
    }
    List<String> columns = List.of();
    for (int i = 0; i < reference.size(); i++) {
      columns = columns(reference.get(i), columns);
      List<String> there = cells(reference.get(i));
      List<String> here = cells(subject.get(i));
      if (!there.equals(here) && !areForms(columns, there, here)) {
        return false;
      }
    }
    return true;
  }

  private static boolean areForms(List<String> columns, List<String> there, List<String> here) {
    if (there.size() != columns.size() || here.size() != columns.size()) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      if (!usual(column, there.get(i)).equals(usual(column, here.get(i)))) {
        return false;
      }
    }
    return true;
  }

  /** The canonical form of a value in a clustering column, which is given by its name and type. */
  static String usual(String column, String value) {
    if (BOOLEAN_IN_KEY.matcher(column).matches()) {
      return ODD_TRUE.matcher(value).matches() ? "true" : value;
    }
    if (INTEGER_IN_KEY.matcher(column).matches()) {
      Matcher odd = ODD_INTEGER.matcher(value);
      return odd.matches()
          ? new BigInteger(HexFormat.of().parseHex(odd.group(1))).toString()
          : value;
    }
    if (FRACTION_IN_KEY.matcher(column).matches()) {
      return ODD_NAN.matcher(value).matches() ? "NaN" : value;
    }
    if (USER_TYPE_IN_KEY.matcher(column).matches()) {
      return LAST_NULLS.matcher(value).replaceFirst("}");
    }
    return TUPLE_IN_KEY.matcher(column).matches()
        ? GeneratedValue.withoutTrailingNulls(value)
        : value;
  }

  /**
   * Whether the subject also returns rows without values in the selected columns, where some cells
   * have expired. Pages end elsewhere then.
   */
  private boolean hasRowsOfUnselectedCells() {
    List<String> there = withoutPages(reference);
    List<String> here = withoutPages(subject);
    if (statement.directive("now").isEmpty() || here.size() <= there.size()) {
      return false;
    }
    List<String> columns = List.of();
    int next = 0;
    for (String line : here) {
      columns = columns(line, columns);
      if (next < there.size() && there.get(next).equals(line)) {
        next++;
      } else if (!hasOnlyKeys(columns, cells(line))) {
        return false;
      }
    }
    return next == there.size();
  }

  /** The lines of all pages without the ends of pages and what each begins with. */
  private static List<String> withoutPages(List<String> answer) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      if (answer.get(i).equals(END_OF_PAGE)) {
        i++;
      } else {
        lines.add(answer.get(i));
      }
    }
    return lines;
  }

  /**
   * Whether the reference has no rows where a static column, the partition key and clustering
   * columns are restricted.
   */
  private boolean isLostByStaticIndex() {
    return STATIC_AND_CLUSTERING.matcher(String.join(" ", statement.lines())).find()
        && reference.stream().allMatch(line -> NO_ROW.matcher(line).matches())
        && subject.containsAll(reference);
  }

  private static boolean hasOnlyKeys(List<String> columns, List<String> cells) {
    if (cells.size() != columns.size()) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!cells.get(i).equals("null") && !KEY.matcher(columns.get(i)).matches()) {
        return false;
      }
    }
    return true;
  }

  /** The names and types of the columns if the line has them; otherwise those known so far. */
  private static List<String> columns(String line, List<String> known) {
    var header = HEADER.matcher(line);
    return header.matches() ? Arrays.asList(SEPARATOR.split(header.group(1), -1)) : known;
  }

  private static List<String> cells(String line) {
    String row = line.startsWith("> ") ? line.substring(2) : line;
    return new ArrayList<>(Arrays.asList(SEPARATOR.split(row, -1)));
  }
}
