package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A statement being generated: its text and the values of its markers. How values are passed (as
 * terms, alongside the text, or to the prepared statement) is decided once per statement.
 */
final class StatementDraft {

  /** How the values of a statement are sent. */
  enum Style {
    TERMS,
    TYPED,
    PREPARED
  }

  /** A marker: its declared type and the text of its value. */
  private record Marker(String type, List<String> values) {}

  private final Choices choices;
  private final Style style;
  private final int oddPercent;
  private final int executions;
  private final StringBuilder text = new StringBuilder();
  private final List<Marker> markers = new ArrayList<>();
  private final List<String> directives = new ArrayList<>();

  /**
   * Creates an empty draft.
   *
   * @param oddPercent the percentage of values that do not match their column
   */
  StatementDraft(Choices choices, Style style, int oddPercent) {
    this(choices, style, oddPercent, style == Style.PREPARED && choices.chance(30) ? 2 : 1);
  }

  private StatementDraft(Choices choices, Style style, int oddPercent, int executions) {
    this.choices = choices;
    this.style = style;
    this.oddPercent = oddPercent;
    this.executions = executions;
  }

  /** An empty draft of a statement that, if it is prepared, is executed once. */
  static StatementDraft executedOnce(Choices choices, Style style, int oddPercent) {
    return new StatementDraft(choices, style, oddPercent, 1);
  }

  static Style anyStyle(Choices choices) {
    return choices.oneOf(
        List.of(
            Style.TERMS, Style.TERMS, Style.TERMS, Style.PREPARED, Style.PREPARED, Style.TYPED));
  }

  StatementDraft add(String more) {
    text.append(more);
    return this;
  }

  StatementDraft direct(String directive) {
    directives.add(directive);
    return this;
  }

  /** A value for a receiver of this type. */
  StatementDraft value(DataType type) {
    if (mayBind(type) && choices.chance(75)) {
      return marker(type.toString(), _ -> bound(type));
    }
    return add(term(type));
  }

  /** Whether a value can be a marker: next to the text of a QUERY, only scalars are sent. */
  private boolean mayBind(DataType type) {
    return style == Style.PREPARED || (style == Style.TYPED && type instanceof DataType.Scalar);
  }

  /** A term for a receiver of this type, never a marker. */
  String term(DataType type) {
    String odd = GeneratedValue.oddTerm(choices);
    boolean tuple = odd.startsWith("(") && !(type instanceof DataType.Scalar);
    return choices.chance(oddPercent) && !tuple ? odd : GeneratedValue.of(type, choices).term();
  }

  private String bound(DataType type) {
    if (choices.chance(oddPercent)) {
      return choices.chance(50) ? choices.oneOf("null", "unset") : oddBytes(type);
    }
    return GeneratedValue.of(type, choices).bound();
  }

  /**
   * Bytes that are invalid for the type, or an empty value; excludes numbers with alternative
   * encodings.
   */
  private String oddBytes(DataType type) {
    return type == DataType.Scalar.VARINT || type == DataType.Scalar.DECIMAL
        ? "empty"
        : GeneratedValue.oddBytes(choices);
  }

  /** A list for {@code IN ?}, or terms in parentheses. */
  StatementDraft listOf(DataType type) {
    int size = choices.chance(10) ? 0 : 1 + choices.below(4);
    if (mayBind(type) && choices.chance(50)) {
      return marker("list<" + type + ">", _ -> boundList(type, size));
    }
    add("(");
    for (int i = 0; i < size; i++) {
      add(i == 0 ? "" : ", ").value(type);
    }
    return add(")");
  }

  private String boundList(DataType type, int size) {
    if (choices.chance(oddPercent)) {
      return choices.oneOf("null", "unset", "empty", "raw:0x00000001", "raw:0x0000");
    }
    List<String> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      String value = bound(type);
      values.add(value.equals("unset") ? "null" : value);
    }
    return "[" + String.join(", ", values) + "]";
  }

  /** An integer where the grammar accepts one: LIMIT, TTL, TIMESTAMP. */
  StatementDraft number(String type, String... candidates) {
    if (style != Style.TERMS && choices.chance(50)) {
      return marker(
          type,
          _ ->
              choices.chance(oddPercent)
                  ? choices.oneOf("null", "unset", "empty", "raw:0x01")
                  : choices.oneOf(candidates));
    }
    return add(choices.oneOf(candidates));
  }

  private StatementDraft marker(String type, Function<Integer, String> source) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < executions; i++) {
      values.add(source.apply(i));
    }
    markers.add(new Marker(type, values));
    return add(choices.chance(90) ? "?" : ":m" + markers.size());
  }

  public String text() {
    return text.toString();
  }

  /** The statement as a line of a BATCH message. */
  String batchLine() {
    return switch (style) {
      case TERMS -> text();
      case TYPED -> text + (markers.isEmpty() ? "" : " @values " + typed());
      case PREPARED -> text + " @bind " + line(0);
    };
  }

  Script.Statement build() {
    return build(text.toString());
  }

  /** The statement with its text replaced. */
  Script.Statement build(String instead) {
    List<String> all = new ArrayList<>(directives);
    if (style == Style.PREPARED) {
      for (int i = 0; i < executions; i++) {
        all.add(("bind " + line(i)).strip());
      }
    } else if (style == Style.TYPED && !markers.isEmpty()) {
      all.add("values " + typed());
    }
    return new Script.Statement(0, all, List.of(instead), List.of());
  }

  private String line(int execution) {
    List<String> values = new ArrayList<>();
    markers.forEach(each -> values.add(each.values().get(execution)));
    if (oddPercent > 0 && choices.chance(2)) {
      values.add("1");
    }
    return String.join(", ", values);
  }

  private String typed() {
    List<String> values = new ArrayList<>();
    markers.forEach(each -> values.add(each.type() + " " + each.values().getFirst()));
    return String.join(", ", values);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s %s", directives, text);
  }
}
