package io.helenus.cql.ast;

import java.util.List;

/** One condition of a WHERE clause. */
public sealed interface Relation {

  /** {@code column operator value}; every operator of {@link Operator}. */
  record ColumnRelation(String column, Operator operator, Term value) implements Relation {}

  /** {@code column IN values}. */
  record ColumnIn(String column, InValues values) implements Relation {}

  /** {@code column IS NOT NULL}. */
  record IsNotNull(String column) implements Relation {}

  /** {@code column[key] operator value}; comparison operators only. */
  record ElementRelation(String column, Term key, Operator operator, Term value)
      implements Relation {}

  /** {@code token(columns) operator value}; comparison operators only. */
  record TokenRelation(List<String> columns, Operator operator, Term value) implements Relation {
    /** Copies the list. */
    public TokenRelation {
      columns = List.copyOf(columns);
    }
  }

  /**
   * {@code (columns) operator value}: the value is a tuple literal or a marker; comparison
   * operators only.
   */
  record TupleRelation(List<String> columns, Operator operator, Term value) implements Relation {
    /** Copies the list. */
    public TupleRelation {
      columns = List.copyOf(columns);
    }
  }

  /** {@code (columns) IN values}: tuple literals, markers, or one marker for all. */
  record TupleIn(List<String> columns, InValues values) implements Relation {
    /** Copies the list. */
    public TupleIn {
      columns = List.copyOf(columns);
    }
  }

  /** {@code expr(index, value)}. */
  record IndexExpression(String index, Term value) implements Relation {}
}
