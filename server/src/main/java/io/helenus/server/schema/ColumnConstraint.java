package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.Operator;
import org.jspecify.annotations.Nullable;

/**
 * A condition that the written values of a column must meet: CHECK of Cassandra 6. Immutable.
 *
 * @param operator null for {@link Kind#NOT_NULL} and {@link Kind#JSON}
 * @param term what values are compared with, as written, with the quotes of a string; empty without
 *     an operator
 */
public record ColumnConstraint(Kind kind, @Nullable Operator operator, String term) {
  /** The kinds of constraints; their order is that of the metadata log. */
  public enum Kind {
    /** {@code NOT NULL}. */
    NOT_NULL,
    /** {@code JSON()}: the value is well-formed JSON. */
    JSON,
    /** {@code LENGTH() < 5}: in UTF-16 units for a text, in bytes for a blob. */
    LENGTH,
    /** {@code OCTET_LENGTH() < 5}: in bytes. */
    OCTET_LENGTH,
    /** {@code REGEXP() = 'a..b'}. */
    REGEXP,
    /** {@code column < 5}. */
    SCALAR
  }

  /** The constraint as in DESCRIBE. */
  String toCql(String column) {
    String left =
        switch (kind) {
          case NOT_NULL -> "NOT NULL";
          case JSON, LENGTH, OCTET_LENGTH, REGEXP -> kind + "()";
          case SCALAR -> CqlNames.quoted(column);
        };
    if (operator == null) {
      return left;
    }
    String right =
        term.startsWith("'")
            ? "'" + term.substring(1, term.length() - 1).replace("'", "''") + "'"
            : term;
    return left + " " + operator + " " + right;
  }

  /** The term without the quotes of a string. */
  public String unquotedTerm() {
    return term.startsWith("'") ? term.substring(1, term.length() - 1) : term;
  }

  /** Whether a comparison with this result meets the operator. */
  public boolean isMetBy(int comparison) {
    return switch (operator) {
      case EQ -> comparison == 0;
      case NEQ -> comparison != 0;
      case LT -> comparison < 0;
      case LTE -> comparison <= 0;
      case GT -> comparison > 0;
      case GTE -> comparison >= 0;
      case null, default -> throw new IllegalStateException("no comparison: " + this);
    };
  }
}
