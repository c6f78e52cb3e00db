package io.helenus.cql.ast;

/** One assignment of UPDATE … SET. */
public sealed interface Assignment {

  /** The column assigned to. */
  String column();

  /** {@code column = value}. */
  record SetValue(String column, Term value) implements Assignment {}

  /** {@code column[key] = value}. */
  record SetElement(String column, Term key, Term value) implements Assignment {}

  /** {@code column.field = value}. */
  record SetField(String column, String field, Term value) implements Assignment {}

  /**
   * {@code column = column + value} or {@code column += value}; a counter, number, list, set or
   * map.
   */
  record Add(String column, Term value) implements Assignment {}

  /** {@code column = column - value} or {@code column -= value}. */
  record Subtract(String column, Term value) implements Assignment {}

  /** {@code column = value + column}. */
  record Prepend(String column, Term value) implements Assignment {}
}
