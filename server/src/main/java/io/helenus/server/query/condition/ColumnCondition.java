package io.helenus.server.query.condition;

import io.helenus.cql.ast.Operator;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.schema.ColumnSchema;

/** A planned condition on a column. Values are slots of the plan. Immutable; any thread. */
public sealed interface ColumnCondition {
  /** The column. */
  ColumnSchema column();

  /** {@code column operator value}. */
  record Comparison(ColumnSchema column, Operator operator, int slot) implements ColumnCondition {}

  /** {@code column IN values}. */
  record In(ColumnSchema column, Restriction.In values) implements ColumnCondition {}
}
