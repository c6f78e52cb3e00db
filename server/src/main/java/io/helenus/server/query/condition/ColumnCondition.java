package io.helenus.server.query.condition;

import io.helenus.cql.ast.Operator;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.schema.ColumnSchema;

/**
 * A planned condition on a column or a part of it. Values are slots of the plan. Immutable; any
 * thread.
 */
public sealed interface ColumnCondition {
  /** The column. */
  ColumnSchema column();

  /** What is compared. */
  Part part();

  /** {@code part operator value}. */
  record Comparison(ColumnSchema column, Part part, Operator operator, int slot)
      implements ColumnCondition {}

  /** {@code part IN values}. */
  record In(ColumnSchema column, Part part, Restriction.In values) implements ColumnCondition {}

  /** The value of a column that a condition compares. */
  sealed interface Part {
    /** The whole value. */
    record Whole() implements Part {}

    /** The element of a list, or the value of a map; the index or key is a slot. */
    record Element(int keySlot) implements Part {}

    /** A field of a user type. */
    record Field(int index) implements Part {}
  }
}
