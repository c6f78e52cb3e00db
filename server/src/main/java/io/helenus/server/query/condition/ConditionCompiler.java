package io.helenus.server.query.condition;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.Conditions;
import io.helenus.cql.ast.InValues;
import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.TupleSource;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.Unsupported;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles the IF of a modification; checks in Cassandra's order. Pure; one per statement. */
public final class ConditionCompiler {
  private final TableSchema table;
  private final TermCompiler terms;
  private final ValueSlots.Builder slots;

  /** Creates a compiler for conditions on a table, which adds their values to the slots. */
  public ConditionCompiler(TableSchema table, TermCompiler terms, ValueSlots.Builder slots) {
    this.table = table;
    this.terms = terms;
    this.slots = slots;
  }

  /**
   * Compiles the conditions.
   *
   * @return null if there are none
   * @throws CqlException INVALID if a condition is invalid, with Cassandra's error, or not
   *     supported
   */
  public @Nullable ConditionPlan compile(Conditions conditions) {
    return switch (conditions) {
      case Conditions.None ignored -> null;
      case Conditions.Exists ignored -> onRow(ConditionPlan.Kind.EXISTS);
      case Conditions.NotExists ignored -> onRow(ConditionPlan.Kind.NOT_EXISTS);
      case Conditions.OnColumns(List<Conditions.Condition> list) -> onColumns(list);
    };
  }

  private ConditionPlan onRow(ConditionPlan.Kind kind) {
    if (table.isCounter()) {
      throw CqlException.invalid("Conditional updates are not supported on counter tables");
    }
    return ConditionPlan.onRow(kind);
  }

  private ConditionPlan onColumns(List<Conditions.Condition> list) {
    List<ColumnCondition> regular = new ArrayList<>();
    List<ColumnCondition> statics = new ArrayList<>();
    for (Conditions.Condition each : list) {
      ColumnCondition condition = compile(each);
      (condition.column().isStatic() ? statics : regular).add(condition);
    }
    return new ConditionPlan(ConditionPlan.Kind.COLUMNS, regular, statics);
  }

  private ColumnCondition compile(Conditions.Condition condition) {
    ColumnSchema column = Columns.require(table, condition.target().column());
    if (column.isPrimaryKey()) {
      throw CqlException.invalid(
          "PRIMARY KEY column '" + column.name() + "' cannot have IF conditions");
    }
    if (column.type().isCounter()) {
      throw CqlException.invalid("Conditions on counters are not supported");
    }
    checkTarget(column, condition.target());
    return switch (condition) {
      case Conditions.Condition.Comparison(var ignored, Operator operator, Term value) ->
          comparison(column, operator, value);
      case Conditions.Condition.In(var ignored, InValues values) ->
          new ColumnCondition.In(column, in(column, values));
    };
  }

  private static void checkTarget(ColumnSchema column, Conditions.Target target) {
    boolean scalar = column.type() instanceof ScalarType;
    switch (target) {
      case Conditions.Target.Column ignored when scalar -> {}
      case Conditions.Target.Element ignored when scalar ->
          throw CqlException.invalid(
              "Invalid element access syntax for non-collection column " + column.name());
      case Conditions.Target.Field ignored when scalar ->
          throw CqlException.invalid(
              "Invalid field access syntax for non-UDT column " + column.name());
      default -> throw Unsupported.feature("IF on a column of type " + column.type().toCql());
    }
  }

  private ColumnCondition comparison(ColumnSchema column, Operator operator, Term value) {
    switch (operator) {
      case CONTAINS ->
          throw CqlException.invalid(
              "Cannot use CONTAINS on non-collection column " + column.name());
      case CONTAINS_KEY ->
          throw CqlException.invalid(
              column.type() instanceof MapType
                  ? "CONTAINS KEY in IF"
                  : "Cannot use CONTAINS KEY on non-map column " + column.name());
      case LT, LTE, GT, GTE -> {
        if (column.type() == ScalarType.DURATION) {
          throw CqlException.invalid(
              "Slice conditions ( " + operator + " ) are not supported on durations");
        }
      }
      case EQ, NEQ -> {}
      case LIKE -> throw new IllegalArgumentException("not in the grammar of conditions: LIKE");
    }
    return new ColumnCondition.Comparison(column, operator, slot(column, value));
  }

  private int slot(ColumnSchema column, Term value) {
    return slots.add(terms.compile(value, Receiver.of(table, column)), column.type());
  }

  private Restriction.In in(ColumnSchema column, InValues values) {
    List<ColumnSchema> columns = List.of(column);
    return switch (values) {
      case BindMarker marker -> {
        ListType type = new ListType(column.type(), false);
        Receiver receiver = Receiver.of(table, "in(" + column.name() + ")", type);
        int slot = slots.addInList(terms.marker(marker, receiver), type);
        yield new Restriction.In(columns, false, List.of(), slot);
      }
      case InValues.Values(List<Term> list) -> {
        List<TupleSource> sources = new ArrayList<>(list.size());
        for (Term term : list) {
          sources.add(TupleSource.of(slot(column, term)));
        }
        yield new Restriction.In(columns, false, sources, -1);
      }
    };
  }
}
