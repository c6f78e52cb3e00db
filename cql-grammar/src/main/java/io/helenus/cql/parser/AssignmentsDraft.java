package io.helenus.cql.parser;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The assignments of an UPDATE being parsed. */
final class AssignmentsDraft {
  private final List<Assignment> assignments = new ArrayList<>();
  private final Map<String, Boolean> setAsAWhole = new HashMap<>();
  private final Set<String> fields = new HashSet<>();

  List<Assignment> build() {
    return assignments;
  }

  /**
   * Adds an assignment; a column set as a whole cannot have other assignments, and a field is set
   * only once.
   */
  void add(Assignment assignment) {
    boolean whole = assignment instanceof Assignment.SetValue;
    Boolean before = setAsAWhole.put(assignment.column(), whole);
    boolean repeated =
        assignment instanceof Assignment.SetField(String column, String field, var ignored)
            && !fields.add(column + "." + field);
    if (repeated || (before != null && (before || whole))) {
      throw CqlSyntaxException.syntax(
          "Multiple incompatible setting of column " + assignment.column());
    }
    assignments.add(assignment);
  }

  /** {@code column = value} or {@code column = value + other}. */
  void setOrPrepend(String column, Term value, @Nullable String other) {
    if (other == null) {
      add(new Assignment.SetValue(column, value));
      return;
    }
    require(column, other, "Only expressions of the form X = <value> + X are supported.");
    add(new Assignment.Prepend(column, value));
  }

  /** {@code column = other + value} or {@code column = other - value}. */
  void addOrSubtract(String column, String other, String sign, Term value) {
    require(column, other, "Only expressions of the form X = X " + sign + "<value> are supported.");
    shorthand(column, sign, value);
  }

  /** {@code column = other -3}, where the lexer makes the sign part of the number. */
  void addInteger(String column, String other, String integer) {
    String sign = integer.startsWith("-") ? "-" : "+";
    require(
        column, other, "Only expressions of the form X = X " + sign + " <value> are supported.");
    add(new Assignment.Add(column, new Term.Literal(Term.LiteralKind.INTEGER, integer)));
  }

  /** {@code column += value} or {@code column -= value}; the sign may include the equals sign. */
  void shorthand(String column, String sign, Term value) {
    add(
        sign.startsWith("+")
            ? new Assignment.Add(column, value)
            : new Assignment.Subtract(column, value));
  }

  private static void require(String column, String other, String message) {
    if (!column.equals(other)) {
      throw CqlSyntaxException.syntax(message);
    }
  }
}
