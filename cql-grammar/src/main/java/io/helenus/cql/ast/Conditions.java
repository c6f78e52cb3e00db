package io.helenus.cql.ast;

import java.util.List;

/** The IF clause of a modification. */
public sealed interface Conditions {

  /** No IF. */
  record None() implements Conditions {}

  /** {@code IF EXISTS}. */
  record Exists() implements Conditions {}

  /** {@code IF NOT EXISTS}. */
  record NotExists() implements Conditions {}

  /** {@code IF condition AND …}, at least one condition. */
  record OnColumns(List<Condition> conditions) implements Conditions {
    /** Copies the list. */
    public OnColumns {
      conditions = List.copyOf(conditions);
      if (conditions.isEmpty()) {
        throw new IllegalArgumentException("IF has conditions");
      }
    }
  }

  /** The target of a condition. */
  sealed interface Target {
    /** The column of the target. */
    String column();

    /** The column itself. */
    record Column(String column) implements Target {}

    /** {@code column[key]}. */
    record Element(String column, Term key) implements Target {}

    /** {@code column.field}. */
    record Field(String column, String field) implements Target {}
  }

  /** One condition. */
  sealed interface Condition {
    /** The target. */
    Target target();

    /** {@code target operator value}; comparisons, and CONTAINS [KEY] on a whole column. */
    record Comparison(Target target, Operator operator, Term value) implements Condition {}

    /** {@code target IN values}. */
    record In(Target target, InValues values) implements Condition {}
  }
}
