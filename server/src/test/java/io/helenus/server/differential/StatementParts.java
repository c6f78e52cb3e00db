package io.helenus.server.differential;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of the text of a statement that can be omitted or replaced. Not thread-safe. */
final class StatementParts {
  private static final Pattern TOKEN =
      Pattern.compile(
          "'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\\$\\$.*?\\$\\$|:[A-Za-z]\\w*|\\w+(?:[-.:+]\\w+)*"
              + "|[<>!+-]?=|\\S",
          Pattern.DOTALL);
  private static final Set<String> CLAUSES =
      Set.of(
          "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "PER", "LIMIT", "ALLOW", "UPDATE", "USING",
          "SET", "IF", "DELETE", "INSERT", "VALUES", "BEGIN", "APPLY", ";");
  private static final Set<String> MODIFICATIONS = Set.of("INSERT", "UPDATE", "DELETE");
  private static final Set<String> SIGNS = Set.of("+", "-", "*", "/", "%");
  private static final Set<String> OPERATORS =
      Set.of("=", "<", ">", "<=", ">=", "!=", "+=", "-=", "IN");

  private final String text;
  private final List<Token> tokens;
  private final List<Clause> clauses = new ArrayList<>();
  private final List<Edit> edits = new ArrayList<>();

  /** A token other than whitespace, and how many brackets it is in. */
  record Token(String text, int from, int to, int depth) {
    String keyword() {
      return text.toUpperCase(Locale.ROOT);
    }

    boolean isMarker() {
      return text.equals("?") || text.length() > 1 && text.startsWith(":");
    }
  }

  /** A run of tokens: the first one's number, and the number after the last. */
  private record Range(int from, int to) {}

  /** A clause, which begins with its keyword. */
  private record Clause(String keyword, int from, int to) {}

  /**
   * A changed text.
   *
   * @param omittedMarkers the numbers of the markers that it lacks
   * @param isLooser whether something that the rest may need was omitted
   * @param isPrepared whether it has a marker without a value, so that it can only be prepared
   */
  record Edit(String text, Set<Integer> omittedMarkers, boolean isLooser, boolean isPrepared) {}

  private StatementParts(String text) {
    this.text = text;
    tokens = tokens(text);
  }

  static StatementParts of(String text) {
    return new StatementParts(text);
  }

  static List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    int depth = 0;
    for (Matcher matcher = TOKEN.matcher(text); matcher.find(); ) {
      String token = matcher.group();
      if (token.length() == 1 && ")]}".contains(token)) {
        depth--;
      }
      tokens.add(new Token(token, matcher.start(), matcher.end(), depth));
      if (token.length() == 1 && "([{".contains(token)) {
        depth++;
      }
    }
    return tokens;
  }

  /** The values in a list, which are separated by commas. */
  static List<String> values(String list) {
    List<String> values = new ArrayList<>();
    int from = 0;
    for (Token token : tokens(list)) {
      if (token.depth() == 0 && token.text().equals(",")) {
        values.add(list.substring(from, token.from()).strip());
        from = token.to();
      }
    }
    if (!list.isBlank()) {
      values.add(list.substring(from).strip());
    }
    return values;
  }

  /** Every text that is one step simpler. */
  List<Edit> edits() {
    findClauses();
    statementsOfBatch();
    for (Clause clause : clauses) {
      edit(clause);
    }
    return edits;
  }

  private void findClauses() {
    int from = 0;
    for (int i = 1; i <= tokens.size(); i++) {
      boolean limitOfPartition = i < tokens.size() && is(i, "LIMIT") && is(i - 1, "PARTITION");
      if (i == tokens.size()
          || tokens.get(i).depth() == 0
              && CLAUSES.contains(tokens.get(i).keyword())
              && !limitOfPartition) {
        clauses.add(new Clause(tokens.get(from).keyword(), from, i));
        from = i;
      }
    }
  }

  private boolean is(int token, String keyword) {
    return tokens.get(token).keyword().equals(keyword);
  }

  private void edit(Clause clause) {
    int from = clause.from + 1;
    int to = clause.to;
    switch (clause.keyword) {
      case "SELECT" -> selection(from, to);
      case "WHERE" -> {
        omit(new Range(clause.from, to), true);
        omitEach(split(from, to, "AND"), true);
        split(from, to, "AND").forEach(this::simplifyRelation);
      }
      case "IF" -> {
        omit(new Range(clause.from, to), false);
        omitEach(split(from, to, "AND"), false);
        split(from, to, "AND").forEach(this::bindValue);
      }
      case "SET" -> {
        omitEach(split(from, to, ","), false);
        split(from, to, ",").forEach(this::bindValue);
      }
      case "DELETE" -> {
        split(from, to, ",").forEach(each -> omitFrom(split(from, to, ","), each, false));
      }
      case "USING" -> {
        omit(new Range(clause.from, to), false);
        omitEach(split(from, to, "AND"), false);
      }
      case "GROUP", "ORDER", "PER", "LIMIT" -> omit(new Range(clause.from, to), false);
      case "ALLOW" -> omit(new Range(clause.from, to), true);
      case "VALUES" -> valuesOfInsert(clause);
      case "INSERT" -> document(from, to);
      default -> {}
    }
  }

  private void statementsOfBatch() {
    List<Range> statements = new ArrayList<>();
    int from = -1;
    for (Clause clause : clauses) {
      if (MODIFICATIONS.contains(clause.keyword) || clause.keyword.equals("APPLY")) {
        if (from >= 0) {
          statements.add(new Range(from, clause.from));
        }
        from = clause.from;
      }
    }
    if (statements.size() > 1) {
      statements.forEach(each -> omit(each, false));
    }
  }

  private void selection(int from, int to) {
    int first = from;
    while (first < to - 1 && (is(first, "DISTINCT") || is(first, "JSON"))) {
      omit(new Range(first, first + 1), false);
      first++;
    }
    List<Range> selectors = split(first, to, ",");
    omitEach(selectors, false);
    for (Range each : selectors.size() > 2 ? selectors : List.<Range>of()) {
      change(List.of(new Range(first, each.from), new Range(each.to, to)), "", false, false);
    }
    selectors.forEach(this::simplifySelector);
    if (selectors.size() == 1) {
      replace(selectors.getFirst(), "*", false, false);
    }
  }

  /** Replaces a call by each of its arguments, and what is in square brackets by a marker. */
  private void simplifySelector(Range selector) {
    int open = selector.from + 1;
    if (open < selector.to && is(open, "(") && closing(open) == selector.to - 1) {
      for (Range argument : split(open + 1, selector.to - 1, ",")) {
        List<Range> call =
            List.of(new Range(selector.from, argument.from), new Range(argument.to, selector.to));
        change(call, "", false, false);
      }
    }
    for (int i = selector.from; i < selector.to; i++) {
      if (is(i, "]")) {
        int from = opening(i) + 1;
        if (from > selector.from && from < i) {
          replace(new Range(from, i), "?", false, true);
        }
      }
    }
  }

  /** Omits each member of the document of INSERT JSON. */
  private void document(int from, int to) {
    for (int i = from; i < to - 1; i++) {
      if (is(i, "JSON") && tokens.get(i + 1).text().startsWith("'")) {
        for (String shorter : JsonDocumentParts.withoutOne(tokens.get(i + 1).text())) {
          replace(new Range(i + 1, i + 2), shorter, true, false);
        }
      }
    }
  }

  /**
   * Replaces the value of a relation, by the first operand if it is a calculation, omits elements
   * of IN, and takes tuples of columns apart.
   */
  private void simplifyRelation(Range relation) {
    bindValue(relation);
    int sign = operator(relation) + 2;
    if (sign > 2 && sign < relation.to - 1 && SIGNS.contains(tokens.get(sign).text())) {
      omit(new Range(sign, relation.to), false);
    }
    if (relation.to - relation.from > 3 && is(relation.to - 1, ")")) {
      int operator = operator(relation);
      if (operator > 0 && is(operator, "IN") && is(operator + 1, "(")) {
        omitEach(split(operator + 2, relation.to - 1, ","), false);
      }
      if (operator > 0 && is(relation.from, "(") && is(operator - 1, ")")) {
        columnsOfTuple(relation, operator);
      }
    }
  }

  private void columnsOfTuple(Range relation, int operator) {
    List<Range> columns = split(relation.from + 1, operator - 1, ",");
    List<Range> values = split(operator + 2, relation.to - 1, ",");
    for (int i = 0; i < columns.size(); i++) {
      String column = text(columns.get(i)) + " " + tokens.get(operator).text() + " ";
      if (is(operator, "IN")) {
        replace(relation, column + "?", true, true);
      } else if (columns.size() == values.size() && is(operator + 1, "(")) {
        List<Range> omitted =
            List.of(
                new Range(relation.from, columns.get(i).from),
                new Range(columns.get(i).to, operator),
                new Range(operator + 1, values.get(i).from),
                new Range(values.get(i).to, relation.to));
        change(omitted, "", columns.size() > 1, false);
      }
    }
  }

  /** Replaces what follows the operator by a marker. */
  private void bindValue(Range relation) {
    int operator = operator(relation);
    if (operator > 0 && operator < relation.to - 1) {
      replace(new Range(operator + 1, relation.to), "?", false, true);
    }
  }

  private int operator(Range relation) {
    int depth = tokens.get(relation.from).depth();
    for (int i = relation.from + 1; i < relation.to; i++) {
      if (tokens.get(i).depth() == depth && OPERATORS.contains(tokens.get(i).keyword())) {
        return i;
      }
    }
    return -1;
  }

  /** Omits a column of an INSERT and its value, or replaces the value by a marker. */
  private void valuesOfInsert(Clause clause) {
    int close = closing(clause.from + 1);
    int before = clause.from - 1;
    if (close < 0 || before < 0 || !is(before, ")")) {
      return;
    }
    int open = before;
    while (open > 0 && !is(open, "(")) {
      open--;
    }
    List<Range> columns = split(open + 1, before, ",");
    List<Range> values = split(clause.from + 2, close, ",");
    for (int i = 0; i < values.size(); i++) {
      replace(values.get(i), "?", false, true);
      if (columns.size() == values.size() && columns.size() > 1) {
        change(List.of(withComma(columns, i), withComma(values, i)), "", true, false);
      }
    }
  }

  private int closing(int open) {
    for (int i = open + 1; i < tokens.size(); i++) {
      if (tokens.get(i).depth() == tokens.get(open).depth() && is(i, ")")) {
        return i;
      }
    }
    return -1;
  }

  private int opening(int close) {
    int i = close - 1;
    while (i >= 0 && !(tokens.get(i).depth() == tokens.get(close).depth() && is(i, "["))) {
      i--;
    }
    return i;
  }

  /** The parts between separators that are in no more brackets than the first token. */
  private List<Range> split(int from, int to, String separator) {
    List<Range> parts = new ArrayList<>();
    if (from >= to) {
      return parts;
    }
    int depth = tokens.get(from).depth();
    int start = from;
    for (int i = from; i < to; i++) {
      if (tokens.get(i).depth() == depth && is(i, separator)) {
        if (i > start) {
          parts.add(new Range(start, i));
        }
        start = i + 1;
      }
    }
    if (to > start) {
      parts.add(new Range(start, to));
    }
    return parts;
  }

  private void omitEach(List<Range> parts, boolean looser) {
    if (parts.size() > 1) {
      parts.forEach(each -> omitFrom(parts, each, looser));
    }
  }

  private void omitFrom(List<Range> parts, Range part, boolean looser) {
    omit(withComma(parts, parts.indexOf(part)), looser);
  }

  /** A part of a list with the separator after it, or before it if it is the last one. */
  private static Range withComma(List<Range> parts, int number) {
    Range part = parts.get(number);
    if (number < parts.size() - 1) {
      return new Range(part.from, parts.get(number + 1).from);
    }
    return number == 0 ? part : new Range(parts.get(number - 1).to, part.to);
  }

  private void omit(Range range, boolean looser) {
    change(List.of(range), "", looser, false);
  }

  private void replace(Range range, String by, boolean looser, boolean prepared) {
    change(List.of(range), by, looser, prepared);
  }

  private void change(List<Range> omitted, String by, boolean looser, boolean prepared) {
    StringBuilder changed = new StringBuilder();
    Set<Integer> markers = new HashSet<>();
    int copied = 0;
    for (Range each : omitted) {
      if (each.from < each.to) {
        changed.append(text, copied, tokens.get(each.from).from()).append(by);
        copied = tokens.get(each.to - 1).to();
        boolean spaced =
            changed.isEmpty() || " (".indexOf(changed.charAt(changed.length() - 1)) >= 0;
        while (spaced && copied < text.length() && text.charAt(copied) == ' ') {
          copied++;
        }
        addMarkers(each, markers);
      }
    }
    changed.append(text, copied, text.length());
    edits.add(new Edit(changed.toString().strip(), markers, looser, prepared));
  }

  private void addMarkers(Range range, Set<Integer> markers) {
    int number = 0;
    for (int i = 0; i < range.to; i++) {
      if (tokens.get(i).isMarker()) {
        if (i >= range.from) {
          markers.add(number);
        }
        number++;
      }
    }
  }

  private String text(Range range) {
    return text.substring(tokens.get(range.from).from(), tokens.get(range.to - 1).to());
  }
}
