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
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
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
      case Conditions.Exists ignored -> ConditionPlan.onRow(ConditionPlan.Kind.EXISTS);
      case Conditions.NotExists ignored -> ConditionPlan.onRow(ConditionPlan.Kind.NOT_EXISTS);
      case Conditions.OnColumns(List<Conditions.Condition> list) -> onColumns(list);
    };
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
    if (column.type().isCounter()) {
      throw CqlException.invalid("Conditions on counters are not supported");
    }
    Target target = target(column, condition.target(), operator(condition));
    ColumnCondition compiled =
        switch (condition) {
          case Conditions.Condition.Comparison(var ignored, Operator operator, Term value) ->
              comparison(column, target, operator, value);
          case Conditions.Condition.In(var ignored, InValues values) ->
              new ColumnCondition.In(column, target.part, in(column, target.receiver, values));
        };
    if (column.isPrimaryKey()) {
      throw CqlException.invalid(
          "PRIMARY KEY column '" + column.name() + "' cannot have IF conditions");
    }
    return compiled;
  }

  /** What a condition compares, and the receiver of its values. */
  private record Target(ColumnCondition.Part part, Receiver receiver) {}

  private static @Nullable Operator operator(Conditions.Condition condition) {
    return condition instanceof Conditions.Condition.Comparison comparison
        ? comparison.operator()
        : null;
  }

  private Target target(
      ColumnSchema column, Conditions.Target target, @Nullable Operator operator) {
    return switch (target) {
      case Conditions.Target.Column ignored -> {
        refuseDurations(column.type(), operator);
        yield new Target(new ColumnCondition.Part.Whole(), Receiver.of(table, column));
      }
      case Conditions.Target.Element(String ignored, Term key) -> element(column, key, operator);
      case Conditions.Target.Field(String ignored, String name) -> field(column, name, operator);
    };
  }

  private Target element(ColumnSchema column, Term key, @Nullable Operator operator) {
    CqlType type = column.type();
    if (!type.isCollection() || type instanceof SetType) {
      throw CqlException.invalid(
          "Invalid element access syntax for "
              + (type.isCollection() ? "set" : "non-collection")
              + " column "
              + column.name());
    }
    boolean ofMap = type instanceof MapType;
    CqlType keyType = ofMap ? type.parts().getFirst() : ScalarType.INT;
    CqlType valueType = type.parts().getLast();
    refuseDurations(valueType, operator);
    String keyName = (ofMap ? "key(" : "idx(") + column.name() + ")";
    int keySlot = slot(Receiver.of(table, keyName, keyType), key);
    return new Target(
        new ColumnCondition.Part.Element(keySlot),
        Receiver.of(table, "value(" + column.name() + ")", valueType));
  }

  private Target field(ColumnSchema column, String name, @Nullable Operator operator) {
    if (!(column.type() instanceof UserType type)) {
      throw CqlException.invalid("Invalid field access syntax for non-UDT column " + column.name());
    }
    int index = type.fieldNames().indexOf(name);
    if (index < 0) {
      throw CqlException.invalid("Unknown field " + name + " for column " + column.name());
    }
    CqlType fieldType = type.fieldTypes().get(index);
    refuseDurations(fieldType, operator);
    return new Target(
        new ColumnCondition.Part.Field(index),
        Receiver.of(table, column.name() + "." + name, fieldType));
  }

  private static void refuseDurations(CqlType type, @Nullable Operator operator) {
    boolean slice =
        operator == Operator.LT
            || operator == Operator.LTE
            || operator == Operator.GT
            || operator == Operator.GTE;
    if (!slice || !type.referencesDuration()) {
      return;
    }
    throw CqlException.invalid(
        switch (type) {
          case CollectionType ignored ->
              "Slice conditions are not supported on collections containing durations";
          case TupleType ignored ->
              "Slice conditions are not supported on tuples containing durations";
          case UserType ignored ->
              "Slice conditions are not supported on UDTs containing durations";
          default -> "Slice conditions ( " + operator + " ) are not supported on durations";
        });
  }

  private ColumnCondition comparison(
      ColumnSchema column, Target target, Operator operator, Term value) {
    Receiver receiver = target.receiver;
    CqlType type = receiver.type();
    switch (operator) {
      case CONTAINS -> {
        if (!type.isCollection()) {
          throw CqlException.invalid(
              "Cannot use CONTAINS on non-collection column " + receiver.name());
        }
        receiver = Receiver.of(table, "value(" + receiver.name() + ")", type.parts().getLast());
      }
      case CONTAINS_KEY -> {
        if (!(type instanceof MapType map)) {
          throw CqlException.invalid(
              "Cannot use CONTAINS KEY on non-map column " + receiver.name());
        }
        receiver = Receiver.of(table, "key(" + receiver.name() + ")", map.key());
      }
      case LT, LTE, GT, GTE, EQ, NEQ -> {}
      case LIKE -> throw new IllegalArgumentException("not in the grammar of conditions: LIKE");
    }
    return new ColumnCondition.Comparison(column, target.part, operator, slot(receiver, value));
  }

  /** Adds a value, whose sets and maps are sorted when it is bound. */
  private int slot(Receiver receiver, Term value) {
    return slots.add(terms.compile(value, receiver), receiver.type().freeze());
  }

  private Restriction.In in(ColumnSchema column, Receiver receiver, InValues values) {
    CqlType type = receiver.type().freeze();
    List<ColumnSchema> columns =
        List.of(
            new ColumnSchema(
                receiver.name(),
                type,
                column.kind(),
                -1,
                false,
                column.id(),
                false,
                null,
                List.of()));
    return switch (values) {
      case BindMarker marker -> {
        ListType list = new ListType(receiver.type(), false);
        Receiver in = Receiver.of(table, "in(" + receiver.name() + ")", list);
        int slot = slots.addInList(terms.marker(marker, in), list);
        yield new Restriction.In(columns, false, List.of(), slot);
      }
      case InValues.Values(List<Term> list) -> {
        List<TupleSource> sources = new ArrayList<>(list.size());
        for (Term term : list) {
          sources.add(TupleSource.of(slot(receiver, term)));
        }
        yield new Restriction.In(columns, false, sources, -1);
      }
    };
  }
}
