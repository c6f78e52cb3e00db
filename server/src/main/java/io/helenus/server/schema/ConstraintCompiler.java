package io.helenus.server.schema;

import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.SchemaStatement.ColumnCheck;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnConstraint.Kind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the constraints of a column, with the checks and texts of Cassandra 6. One column.
 *
 * @see ColumnConstraint
 */
final class ConstraintCompiler {
  private static final List<Operator> COMPARISONS =
      List.of(Operator.EQ, Operator.NEQ, Operator.GTE, Operator.GT, Operator.LTE, Operator.LT);
  private static final List<Operator> MATCHES = List.of(Operator.EQ, Operator.NEQ);

  private static final List<ScalarType> ORDERED =
      List.of(
          ScalarType.TINYINT,
          ScalarType.SMALLINT,
          ScalarType.INT,
          ScalarType.BIGINT,
          ScalarType.FLOAT,
          ScalarType.DOUBLE,
          ScalarType.DECIMAL,
          ScalarType.VARINT,
          ScalarType.TIME,
          ScalarType.DATE,
          ScalarType.TIMESTAMP);
  private static final List<ScalarType> TEXTS = List.of(ScalarType.TEXT, ScalarType.ASCII);
  private static final List<ScalarType> BYTES =
      List.of(ScalarType.BLOB, ScalarType.TEXT, ScalarType.ASCII);

  private final String table;
  private final String column;
  private final CqlType type;

  private ConstraintCompiler(String table, String column, CqlType type) {
    this.table = table;
    this.column = column;
    this.type = type;
  }

  /**
   * Resolves constraints.
   *
   * @param table the qualified name of the table
   * @throws CqlException if they are invalid, or contradict each other or the type of the column
   */
  static List<ColumnConstraint> compile(
      String table, String column, CqlType type, ColumnKind kind, List<ColumnCheck> checks) {
    return checks.isEmpty()
        ? List.of()
        : new ConstraintCompiler(table, column, type).compile(kind, checks);
  }

  private List<ColumnConstraint> compile(ColumnKind kind, List<ColumnCheck> checks) {
    List<ColumnConstraint> constraints = new ArrayList<>();
    checks.forEach(check -> constraints.add(resolve(check)));
    if (type.isMultiCell() || type.isCounter()) {
      throw CqlException.invalid(
          "Constraint cannot be defined on the column "
              + column
              + " of type "
              + type.toCql()
              + " for the table "
              + table
              + "."
              + (type.isCollection()
                  ? " When using collections, constraints can be used only of frozen collections."
                  : ""));
    }
    refuseDuplicates(constraints);
    for (Kind each : List.of(Kind.LENGTH, Kind.OCTET_LENGTH, Kind.REGEXP, Kind.SCALAR)) {
      requireSatisfiable(each, constraints);
    }
    constraints.forEach(constraint -> validate(constraint, kind));
    return constraints;
  }

  private ColumnConstraint resolve(ColumnCheck check) {
    return switch (check) {
      case ColumnCheck.NotNull _ -> new ColumnConstraint(Kind.NOT_NULL, null, "");
      case ColumnCheck.OfValue(String name, Operator operator, String value) -> {
        if (!name.equals(column)) {
          throw CqlException.invalid(
              "Constraint "
                  + name
                  + " "
                  + operator
                  + " "
                  + value
                  + " was not specified on a column it operates on: "
                  + column
                  + " but on: "
                  + name);
        }
        yield new ColumnConstraint(Kind.SCALAR, operator, value);
      }
      case ColumnCheck.OfFunction(var name, var arguments, var operator, var value) ->
          function(name, arguments, operator, value);
    };
  }

  private static ColumnConstraint function(
      String name, List<String> arguments, @Nullable Operator operator, @Nullable String value) {
    Kind found =
        switch (name.toUpperCase(Locale.ROOT)) {
          case "NOT_NULL" -> operator == null ? Kind.NOT_NULL : null;
          case "JSON" -> operator == null ? Kind.JSON : null;
          case "LENGTH" -> operator == null ? null : Kind.LENGTH;
          case "OCTET_LENGTH" -> operator == null ? null : Kind.OCTET_LENGTH;
          case "REGEXP" -> operator == null ? null : Kind.REGEXP;
          default -> null;
        };
    if (found == null) {
      throw CqlException.invalid("Unrecognized constraint function: " + name);
    }
    if (!arguments.isEmpty()) {
      throw CqlException.invalid("Constraint " + found + " does not accept any arguments.");
    }
    return new ColumnConstraint(found, operator, value == null ? "" : value);
  }

  private void refuseDuplicates(List<ColumnConstraint> constraints) {
    Set<String> names = new HashSet<>();
    List<String> duplicates = new ArrayList<>();
    for (ColumnConstraint each : constraints) {
      if (!names.add(name(each)) && each.operator() != Operator.NEQ) {
        duplicates.add(name(each));
      }
    }
    if (!duplicates.isEmpty()) {
      throw duplicate(": " + duplicates);
    }
  }

  private CqlException duplicate(String which) {
    return CqlException.invalid(
        "There are duplicate constraint definitions on column '" + column + "'" + which);
  }

  private String name(ColumnConstraint constraint) {
    String start = constraint.kind() == Kind.SCALAR ? column : constraint.kind().toString();
    return constraint.operator() == null ? start : start + " " + constraint.operator();
  }

  private void requireSatisfiable(Kind kind, List<ColumnConstraint> all) {
    List<ColumnConstraint> constraints = all.stream().filter(each -> each.kind() == kind).toList();
    List<ColumnConstraint> unequal =
        constraints.stream().filter(each -> each.operator() == Operator.NEQ).toList();
    if (constraints.size() - unequal.size() > 2) {
      throw CqlException.invalid(
          "There can not be more than 2 constraints (not including non-equal relations) on a column"
              + " '"
              + column
              + "' but you have specified "
              + constraints.size());
    }
    Set<String> terms = new TreeSet<>();
    for (ColumnConstraint each : unequal) {
      if (!terms.add(each.term())) {
        throw duplicate(": " + each.toCql(column));
      }
    }
    String function = kind == Kind.SCALAR ? "scalar" : kind.toString();
    List<Operator> supported = kind == Kind.REGEXP ? MATCHES : COMPARISONS;
    for (ColumnConstraint each : constraints) {
      if (!supported.contains(each.operator())) {
        throw CqlException.invalid(
            function
                + " constraint of relation '"
                + each.operator()
                + "' is not supported. Only these are: "
                + supported);
      }
    }
    if (constraints.size() == 2) {
      requireSatisfiable(function, constraints.getFirst(), constraints.getLast());
    }
  }

  private void requireSatisfiable(
      String function, ColumnConstraint first, ColumnConstraint second) {
    String shown = function + " %s: " + shown(first) + ", " + shown(second);
    if (first.operator() == Operator.EQ
        || second.operator() == Operator.EQ
        || isSameDirection(first, second)) {
      throw CqlException.invalid(
          "Constraints combination of " + shown.replace("%s", "is not supported"));
    }
    boolean bothUnequal = first.operator() == Operator.NEQ && second.operator() == Operator.NEQ;
    if (bothUnequal || first.kind() == Kind.REGEXP) {
      return;
    }
    int order = compareTerms(second, first);
    if (!first.isMetBy(order) || !second.isMetBy(-order)) {
      throw CqlException.invalid("Constraints of " + shown.replace("%s", "are not satisfiable"));
    }
  }

  private static boolean isSameDirection(ColumnConstraint first, ColumnConstraint second) {
    return (isUpper(first) && isUpper(second)) || (isLower(first) && isLower(second));
  }

  private static boolean isUpper(ColumnConstraint constraint) {
    return constraint.operator() == Operator.LT || constraint.operator() == Operator.LTE;
  }

  private static boolean isLower(ColumnConstraint constraint) {
    return constraint.operator() == Operator.GT || constraint.operator() == Operator.GTE;
  }

  private String shown(ColumnConstraint constraint) {
    return column + " " + constraint.operator() + " " + constraint.term();
  }

  private int compareTerms(ColumnConstraint a, ColumnConstraint b) {
    return a.kind() == Kind.SCALAR && type instanceof ScalarType scalar && ORDERED.contains(scalar)
        ? scalar.compare(value(a, scalar), value(b, scalar))
        : Integer.compare(length(a), length(b));
  }

  private byte[] value(ColumnConstraint constraint, ScalarType scalar) {
    try {
      return scalar.fromString(constraint.unquotedTerm());
    } catch (CqlException e) {
      throw unreadable(constraint);
    }
  }

  private int length(ColumnConstraint constraint) {
    try {
      return Integer.parseInt(constraint.term());
    } catch (NumberFormatException e) {
      throw unreadable(constraint);
    }
  }

  private CqlException unreadable(ColumnConstraint constraint) {
    return CqlException.invalid(
        "Cannot parse constraint value from '"
            + constraint.unquotedTerm()
            + "' for column '"
            + column
            + "'");
  }

  private void validate(ColumnConstraint constraint, ColumnKind kind) {
    switch (constraint.kind()) {
      case NOT_NULL -> {
        if (kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING) {
          throw CqlException.invalid(
              "NOT_NULL constraint can not be specified on a "
                  + (kind == ColumnKind.PARTITION_KEY ? "partition" : "clustering")
                  + " key column '"
                  + column
                  + "'");
        }
      }
      case JSON -> requireType(constraint, TEXTS);
      case LENGTH, OCTET_LENGTH -> {
        requireType(constraint, BYTES);
        int ignored = length(constraint);
      }
      case REGEXP -> {
        requireType(constraint, TEXTS);
        requirePattern(constraint.unquotedTerm());
      }
      case SCALAR -> {
        requireType(constraint, ORDERED);
        byte[] ignored = value(constraint, (ScalarType) type);
      }
    }
  }

  private static void requirePattern(String regexp) {
    try {
      Pattern ignored = Pattern.compile(regexp);
    } catch (PatternSyntaxException e) {
      throw CqlException.invalid("String '" + regexp + "' is not a valid regular expression");
    }
  }

  private void requireType(ColumnConstraint constraint, List<ScalarType> supported) {
    if (type instanceof ScalarType scalar && supported.contains(scalar)) {
      return;
    }
    List<String> classes = supported.stream().map(ScalarType::className).toList();
    throw CqlException.invalid(
        "Constraint '"
            + (constraint.kind() == Kind.SCALAR ? name(constraint) : constraint.kind())
            + "' can be used only for columns of type "
            + classes
            + " but it was class "
            + type.className());
  }
}
