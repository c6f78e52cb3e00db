package io.helenus.server.query.condition;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;
import java.util.stream.Stream;

/**
 * The plan of IF. Immutable; any thread.
 *
 * @param regular the conditions on regular columns; empty unless the kind is COLUMNS
 * @param statics the conditions on static columns; empty unless the kind is COLUMNS
 */
public record ConditionPlan(
    Kind kind, List<ColumnCondition> regular, List<ColumnCondition> statics) {
  /** The kinds of conditions. */
  public enum Kind {
    /** IF EXISTS. */
    EXISTS,
    /** IF NOT EXISTS. */
    NOT_EXISTS,
    /** IF column = value. */
    COLUMNS
  }

  /** Copies the lists. */
  public ConditionPlan {
    regular = List.copyOf(regular);
    statics = List.copyOf(statics);
  }

  /** IF EXISTS or IF NOT EXISTS. */
  static ConditionPlan onRow(Kind kind) {
    return new ConditionPlan(kind, List.of(), List.of());
  }

  /** Whether it is on the existence of a row. */
  public boolean isOnRow() {
    return kind != Kind.COLUMNS;
  }

  /** The columns of the conditions in the order of the result: static columns come last. */
  List<ColumnSchema> columns() {
    return Stream.concat(regular.stream(), statics.stream()).map(ColumnCondition::column).toList();
  }
}
