package io.helenus.server.query.selection;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.functions.Argument;
import io.helenus.server.functions.CqlFunction;
import io.helenus.server.functions.FieldFunction;
import io.helenus.server.functions.NativeFunctions;
import io.helenus.server.functions.OperationFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.ScalarTypes;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.Literals;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TypeResolver;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compiles the elements of a select list to expressions. One per statement. */
final class SelectableCompiler {
  private final PlanningScope scope;
  private final TableSchema table;
  private final ValueSlots.Builder slots;
  private final SelectionInputs inputs;
  private final ElementSelections elements;
  private final LiteralSelections literals = new LiteralSelections(this);
  private final List<AggregateCall> aggregates = new ArrayList<>();
  private @Nullable CqlException unresolved;

  SelectableCompiler(
      PlanningScope scope, TableSchema table, ValueSlots.Builder slots, SelectionInputs inputs) {
    this.scope = scope;
    this.table = table;
    this.slots = slots;
    this.inputs = inputs;
    this.elements = new ElementSelections(this, table, new TermCompiler(scope), slots, inputs);
  }

  /** The aggregates found so far. */
  List<AggregateCall> aggregates() {
    return aggregates;
  }

  /**
   * An element's expression and its column name.
   *
   * @param type of the column; a type hint may give the expression another one
   */
  record Selected(Expression expression, String name, CqlType type) {
    Selected(Expression expression, String name) {
      this(expression, name, expression.type());
    }
  }

  /**
   * A function parameter or type hint: what gives an untyped element its type.
   *
   * @param name of the function; null for a type hint outside of a function's arguments
   */
  record Place(CqlType type, @Nullable String name) {}

  /** Converts values; without a place, an element that has no type is refused. */
  interface Completion {
    Selected in(@Nullable Place place);
  }

  /**
   * An element whose columns and functions are known and whose values are not yet converted: as in
   * Cassandra, a mistake of the first kind is reported first.
   *
   * @param exact the type that the element has wherever it stands; null if its place determines it
   */
  record Draft(Argument argument, @Nullable CqlType exact, Completion completion) {
    String text() {
      return argument.text();
    }

    /** An element that has a type wherever it stands. */
    static Draft typed(String text, CqlType type, Supplier<Selected> completion) {
      return new Draft(new Argument.Typed(text, type), type, ignored -> completion.get());
    }

    /** A selection from a value that has no such part. */
    static Draft refused(String text, Supplier<CqlException> refusal) {
      return new Draft(
          new Argument.Refused(text),
          null,
          ignored -> {
            throw refusal.get();
          });
    }

    /** Whether this has no type wherever it stands. */
    boolean isRefused() {
      return argument instanceof Argument.Refused;
    }
  }

  /** Compiles an element without an expected type. */
  Selected compile(Selectable selectable) {
    return draft(selectable).completion.in(null);
  }

  Draft draft(Selectable selectable) {
    return switch (selectable) {
      case Selectable.Column(String name, boolean ignored) -> {
        ColumnSchema column = Columns.require(table, name);
        yield Draft.typed(name, column.type(), () -> new Selected(inputs.value(column), name));
      }
      case Selectable.Value(Term term) ->
          new Draft(argument(term), null, place -> value(term, place));
      case Selectable.CountRows ignored -> Draft.typed("count", ScalarType.BIGINT, this::countRows);
      case Selectable.Function function -> function(function);
      case Selectable.CellFactOf fact -> cellFact(fact);
      case Selectable.Cast(Selectable operand, NativeType type) -> cast(draft(operand), type);
      case Selectable.TypeHint(TypeName type, Selectable operand) -> typeHint(type, draft(operand));
      case Selectable.Operation(var operator, Selectable left, Selectable right) ->
          operation(operator.functionName(), List.of(left, right));
      case Selectable.Negation(Selectable operand) ->
          operation(OperationFunctions.NEGATE, List.of(operand));
      case Selectable.Field field -> field(field);
      case Selectable.Element element -> elements.element(element);
      case Selectable.Slice slice -> elements.slice(slice);
      case Selectable.Parenthesised(List<Selectable> inner) -> literals.parenthesised(inner);
      case Selectable.ListOf(List<Selectable> inner) -> literals.array(inner);
      case Selectable.SetOf(List<Selectable> inner) -> literals.set(inner);
      case Selectable.MapOrUserType(var entries) -> literals.mapOrUserType(entries);
    };
  }

  private Draft field(Selectable.Field selection) {
    String name = selection.field();
    Draft operand = draft(selection.operand());
    CqlType type = typeOfFields(selection.operand(), operand);
    String text = operand.text() + "." + name;
    if (!(type instanceof UserType user)) {
      return Draft.refused(
          text,
          () -> {
            Selected ignored = operand.completion.in(null);
            return CqlException.invalid(
                "Invalid field selection: "
                    + operand.text()
                    + " of type "
                    + (type == null ? "unknown" : type.toCql())
                    + " is not a user type");
          });
    }
    int index = user.fieldNames().indexOf(name);
    if (index < 0) {
      return Draft.refused(
          text,
          () ->
              CqlException.invalid(
                  operand.text() + " of type " + type.toCql() + " has no field " + name));
    }
    return Draft.typed(
        text,
        user.fieldTypes().get(index),
        () -> {
          ColumnSchema column = columnOfFields(selection.operand());
          if (column != null) {
            return new Selected(inputs.field(column, index), column.name() + "." + name);
          }
          Selected whole = operand.completion.in(new Place(user, operand.text()));
          Expression field =
              new Expression.Call(FieldFunction.of(user, index), List.of(whole.expression));
          return new Selected(field, whole.name + "." + name);
        });
  }

  /** The type of what fields are selected from: in parentheses it is not a tuple. */
  private @Nullable CqlType typeOfFields(Selectable operand, Draft draft) {
    return operand instanceof Selectable.Parenthesised(List<Selectable> inner) && inner.size() == 1
        ? draft(inner.getFirst()).exact
        : draft.exact;
  }

  /** The column that this is, if its fields are cells; null for anything else. */
  private @Nullable ColumnSchema columnOfFields(Selectable selectable) {
    if (selectable instanceof Selectable.Column(String name, boolean ignored)) {
      ColumnSchema column = Columns.require(table, name);
      return column.multiCell() && column.type() instanceof UserType ? column : null;
    }
    return null;
  }

  private Selected countRows() {
    CqlFunction count =
        NativeFunctions.resolve(null, "count_rows", List.of(), PartitionKeyTypes.NONE, null);
    return aggregate(count, List.of(), "count");
  }

  private Selected aggregate(CqlFunction function, List<Expression> arguments, String name) {
    if (!(function instanceof AggregateFunction aggregate)) {
      throw new IllegalStateException(function + " is not an aggregate");
    }
    for (Expression argument : arguments) {
      if (holdsAggregate(argument)) {
        throw CqlException.invalid(
            "aggregate functions cannot be used as arguments of aggregate functions");
      }
    }
    aggregates.add(new AggregateCall(aggregate, arguments));
    Expression result = new Expression.Aggregate(aggregates.size() - 1, aggregate.returnType());
    return new Selected(result, name);
  }

  private static boolean holdsAggregate(Expression expression) {
    return switch (expression) {
      case Expression.Aggregate ignored -> true;
      case Expression.Call(var ignored, List<Expression> arguments) ->
          arguments.stream().anyMatch(SelectableCompiler::holdsAggregate);
      case Expression.Composed(var ignored, List<Expression> parts) ->
          parts.stream().anyMatch(SelectableCompiler::holdsAggregate);
      case Expression.Constant ignored -> false;
      case Expression.Marker ignored -> false;
      case Expression.Input ignored -> false;
    };
  }

  private Draft cellFact(Selectable.CellFactOf fact) {
    ColumnSchema column = Columns.require(table, fact.column().name());
    String function = fact.fact().functionName();
    if (column.isPrimaryKey()) {
      return Draft.typed(
          function + "(" + column.name() + ")",
          SelectionInputs.factType(fact.fact(), false),
          () -> {
            throw CqlException.invalid(
                "Cannot use selection function "
                    + function
                    + " on PRIMARY KEY part "
                    + column.name());
          });
    }
    String text = function + "(" + draft(fact.target()).text() + ")";
    return Draft.typed(
        text,
        elements.factType(fact.fact(), fact.target()),
        () -> new Selected(elements.fact(fact.fact(), fact.target()).expression, text));
  }

  private Draft function(Selectable.Function call) {
    String name = call.name().name();
    if (call.name().keyspace() == null
        && name.equals("count")
        && call.arguments().size() == 1
        && call.arguments().getFirst() instanceof Selectable.Value(Term.Literal ignored)) {
      return Draft.typed("count", ScalarType.BIGINT, this::countRows);
    }
    List<Draft> arguments = call.arguments().stream().map(this::draft).toList();
    // the columns of rows have canonical values already
    PartitionKeyTypes key =
        new PartitionKeyTypes(table.partitionKey().stream().map(ColumnSchema::type).toList());
    CqlFunction function =
        resolve(
            call.name().keyspace(), name, arguments.stream().map(Draft::argument).toList(), key);
    return Draft.typed(
        function.columnName(arguments.stream().map(Draft::text).toList()),
        function.returnType(),
        () -> call(function, arguments));
  }

  private Draft operation(String function, List<Selectable> operands) {
    return function(new Selectable.Function(new QualifiedName("system", function), operands));
  }

  private Selected call(CqlFunction function, List<Draft> arguments) {
    List<Expression> expressions = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      Place place = new Place(function.argumentTypes().get(i), function.name());
      Selected selected = arguments.get(i).completion.in(place);
      expressions.add(selected.expression);
      texts.add(selected.name);
    }
    String column = function.columnName(texts);
    return function instanceof ScalarFunction scalar
        ? new Selected(new Expression.Call(scalar, expressions), column)
        : aggregate(function, expressions, column);
  }

  private CqlFunction resolve(
      @Nullable String keyspace, String name, List<Argument> arguments, PartitionKeyTypes key) {
    try {
      return NativeFunctions.resolve(keyspace, name, arguments, key, null);
    } catch (CqlException e) {
      unresolved = e;
      throw e;
    }
  }

  /** Whether a function or the type of a hint was rejected. */
  boolean isUnresolved(CqlException refusal) {
    return refusal == unresolved;
  }

  private static Argument argument(Term term) {
    return switch (term) {
      case Term.Literal literal ->
          new Argument.Constant(literal.toString(), Literals.kind(literal.kind()), literal.text());
      case Term.Null ignored -> new Argument.Null(term.toString());
      case BindMarker ignored -> new Argument.Untyped("?");
      default -> new Argument.Untyped(term.toString());
    };
  }

  /** A value whose type is determined by its place. */
  private Selected value(Term term, @Nullable Place place) {
    if (place == null) {
      throw LiteralSelections.noType(term.toString());
    }
    CqlType type = place.type;
    Receiver receiver = Receiver.of(table, "[selection]", type);
    return switch (term) {
      case BindMarker marker -> {
        addMarker(marker, receiver);
        Expression value =
            place.name == null
                ? new Expression.Marker(marker.index(), type, null)
                : Expression.Marker.ofArgument(marker.index(), type, place.name);
        yield new Selected(value, "?");
      }
      case Term.Literal literal ->
          new Selected(
              new Expression.Constant(Literals.bytes(literal, receiver), type), literal.toString());
      case Term.Null ignored -> new Selected(new Expression.Constant(null, type), "NULL");
      default -> throw new IllegalStateException("not a value of a select list: " + term);
    };
  }

  private void addMarker(BindMarker marker, Receiver receiver) {
    scope.variables().add(marker, receiver);
    int ignored = slots.add(new ValueSource.Marker(marker.index()), receiver.type());
  }

  private Draft cast(Draft operand, NativeType type) {
    ScalarType to = ScalarTypes.of(type);
    String text = "cast(" + operand.text() + " as " + type + ")";
    return Draft.typed(text, to, () -> cast(operand.completion.in(null), type, to));
  }

  private Selected cast(Selected selected, NativeType type, ScalarType to) {
    if (to.equals(selected.type)) {
      return selected;
    }
    if (type == NativeType.VARCHAR || !NativeFunctions.isCastTarget(to)) {
      // Cassandra reports the first column of the list, regardless of which one is cast
      List<ColumnSchema> met = inputs.columns();
      throw CqlException.invalid(
          (met.isEmpty() ? selected.name : met.getFirst().name()) + " cannot be cast to " + type);
    }
    Argument argument = new Argument.Typed(selected.name, selected.type);
    CqlFunction function = NativeFunctions.resolveCast(argument, to);
    String name = "cast(" + selected.name + " as " + to.toCql() + ")";
    return function instanceof ScalarFunction scalar
        ? new Selected(new Expression.Call(scalar, List.of(selected.expression)), name)
        : selected;
  }

  private Draft typeHint(TypeName typeName, Draft operand) {
    CqlType type = hintedType(typeName);
    String hint = "(" + TypeResolver.qualified(typeName, table.keyspace()) + ")";
    String text = hint + operand.text();
    return new Draft(
        new Argument.Typed(text, type),
        type,
        place -> {
          if (operand.argument.match(type) == Argument.Match.NONE) {
            throw unassignable(text, type);
          }
          String function = place == null ? null : place.name;
          Selected selected = operand.completion.in(new Place(type, function));
          return new Selected(selected.expression, hint + selected.name, type);
        });
  }

  private CqlType hintedType(TypeName name) {
    try {
      return scope.type(name, table.keyspace()).freeze();
    } catch (CqlException e) {
      unresolved = e;
      throw e;
    }
  }

  private static CqlException unassignable(String name, CqlType type) {
    return CqlException.invalid(
        "Cannot assign value " + name + " to " + name + " of type " + type.toCql());
  }
}
