package io.helenus.server.query.selection;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.TypeName;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.AggregateFunction;
import io.helenus.server.functions.Argument;
import io.helenus.server.functions.CqlFunction;
import io.helenus.server.functions.NativeFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.ScalarTypes;
import io.helenus.server.query.statement.Unsupported;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.Literals;
import io.helenus.server.query.value.ValueSlots;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Compiles the elements of a select list to expressions. One per statement. */
final class SelectableCompiler {
  private final PlanningScope scope;
  private final TableSchema table;
  private final ValueSlots.Builder slots;
  private final SelectionInputs inputs;
  private final List<AggregateCall> aggregates = new ArrayList<>();
  private @Nullable CqlException unresolved;

  SelectableCompiler(
      PlanningScope scope, TableSchema table, ValueSlots.Builder slots, SelectionInputs inputs) {
    this.scope = scope;
    this.table = table;
    this.slots = slots;
    this.inputs = inputs;
  }

  /** The aggregates found so far. */
  List<AggregateCall> aggregates() {
    return aggregates;
  }

  /** An element's expression and its column name. */
  record Selected(Expression expression, String name) {}

  /** Compiles an element without an expected type. */
  Selected compile(Selectable selectable) {
    return switch (selectable) {
      case Selectable.Column(String name, boolean ignored) -> {
        ColumnSchema column = Columns.require(table, name);
        yield new Selected(inputs.value(column), name);
      }
      case Selectable.Value(Term term) -> throw noType(term.toString());
      case Selectable.CountRows ignored -> countRows();
      case Selectable.Function function -> function(function);
      case Selectable.CellFactOf fact -> cellFact(fact);
      case Selectable.Cast(Selectable operand, NativeType type) -> cast(operand, type);
      case Selectable.TypeHint(TypeName type, Selectable operand) -> typeHint(type, operand);
      case Selectable.Operation ignored -> throw Unsupported.feature("arithmetic in SELECT");
      case Selectable.Negation ignored -> throw Unsupported.feature("arithmetic in SELECT");
      case Selectable.Field(Selectable operand, String ignored) -> throw field(compile(operand));
      case Selectable.Element(Selectable operand, var ignored) -> throw element(compile(operand));
      case Selectable.Slice(Selectable operand, var ignored, var alsoIgnored) ->
          throw element(compile(operand));
      case Selectable.Parenthesised(List<Selectable> elements) ->
          throw elements.size() == 1
                  || elements.stream().anyMatch(Selectable.Value.class::isInstance)
              ? noType(text(elements))
              : Unsupported.feature("a tuple in SELECT");
      case Selectable.ListOf ignored -> throw Unsupported.feature("a list in SELECT");
      case Selectable.SetOf ignored -> throw Unsupported.feature("a set in SELECT");
      case Selectable.MapOrUserType ignored -> throw Unsupported.feature("a map in SELECT");
    };
  }

  private String text(List<Selectable> elements) {
    StringJoiner text = new StringJoiner(", ", "(", ")");
    for (Selectable element : elements) {
      String one =
          switch (element) {
            case Selectable.Value(Term term) -> term instanceof BindMarker ? "?" : term.toString();
            case Selectable.Parenthesised(List<Selectable> inner) -> text(inner);
            default -> compile(element).name;
          };
      text.add(one);
    }
    return text.toString();
  }

  private static CqlException noType(String text) {
    return CqlException.invalid(
        "Cannot infer type for term "
            + text
            + " in selection clause (try using a cast to force a type)");
  }

  private static CqlException field(Selected operand) {
    CqlType type = operand.expression.type();
    return type instanceof UserType
        ? Unsupported.feature("a field of a user type in SELECT")
        : CqlException.invalid(
            "Invalid field selection: "
                + operand.name
                + " of type "
                + type.toCql()
                + " is not a user type");
  }

  private static CqlException element(Selected operand) {
    return switch (operand.expression.type()) {
      case SetType ignored -> Unsupported.feature("an element of a set in SELECT");
      case MapType ignored -> Unsupported.feature("an element of a map in SELECT");
      case ListType ignored ->
          CqlException.invalid(
              "Element selection is only allowed on sets and maps, but "
                  + operand.name
                  + " is a list");
      case CqlType type ->
          CqlException.invalid(
              "Invalid element selection: "
                  + operand.name
                  + " is of type "
                  + type.toCql()
                  + " is not a collection");
    };
  }

  private Selected countRows() {
    CqlFunction count = NativeFunctions.resolve(null, "count_rows", List.of(), List.of(), null);
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
      case Expression.Constant ignored -> false;
      case Expression.Marker ignored -> false;
      case Expression.Input ignored -> false;
    };
  }

  private Selected cellFact(Selectable.CellFactOf fact) {
    ColumnSchema column = Columns.require(table, fact.column().name());
    String function = fact.fact().functionName();
    if (column.isPrimaryKey()) {
      throw CqlException.invalid(
          "Cannot use selection function " + function + " on PRIMARY KEY part " + column.name());
    }
    if (!(fact.target() instanceof Selectable.Column)) {
      throw Unsupported.feature(function + " of a part of a column");
    }
    Expression value = inputs.fact(fact.fact(), column);
    return new Selected(value, function + "(" + column.name() + ")");
  }

  private Selected function(Selectable.Function call) {
    String name = call.name().name().toLowerCase(Locale.ROOT);
    boolean plain = call.name().keyspace() == null;
    if (plain
        && name.equals("count")
        && call.arguments().size() == 1
        && call.arguments().getFirst() instanceof Selectable.Value(Term.Literal ignored)) {
      return countRows();
    }
    List<Argument> arguments = new ArrayList<>();
    List<@Nullable Selected> typed = new ArrayList<>();
    for (Selectable each : call.arguments()) {
      Selected selected = each instanceof Selectable.Value ? null : compile(each);
      typed.add(selected);
      arguments.add(
          selected == null
              ? untyped(each)
              : new Argument.Typed(selected.name, selected.expression.type()));
    }
    List<CqlType> key = table.partitionKey().stream().map(ColumnSchema::type).toList();
    CqlFunction function = resolve(call.name().keyspace(), name, arguments, key);
    List<Expression> expressions = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      Selected selected = typed.get(i);
      if (selected == null) {
        selected = value(call.arguments().get(i), function, function.argumentTypes().get(i));
      }
      expressions.add(selected.expression);
      texts.add(selected.name);
    }
    String column = function.columnName(texts);
    return function instanceof ScalarFunction scalar
        ? new Selected(new Expression.Call(scalar, expressions), column)
        : aggregate(function, expressions, column);
  }

  private CqlFunction resolve(
      @Nullable String keyspace, String name, List<Argument> arguments, List<CqlType> key) {
    try {
      return NativeFunctions.resolve(keyspace, name, arguments, key, null);
    } catch (CqlException e) {
      unresolved = e;
      throw e;
    }
  }

  /** Whether the rejected element is a function call. */
  boolean isUnresolvedFunction(CqlException refusal) {
    return refusal == unresolved;
  }

  private static Argument untyped(Selectable selectable) {
    if (selectable instanceof Selectable.Value(Term.Literal literal)) {
      return new Argument.Constant(
          literal.toString(), Literals.kind(literal.kind()), literal.text());
    }
    return new Argument.Untyped(
        selectable instanceof Selectable.Value(Term term) && !(term instanceof BindMarker)
            ? term.toString()
            : "?");
  }

  /** A value whose type is determined by its context. */
  private Selected value(Selectable selectable, CqlFunction function, CqlType type) {
    if (!(selectable instanceof Selectable.Value(Term term))) {
      throw new IllegalStateException("not a value: " + selectable);
    }
    Receiver receiver = Receiver.of(table, "[selection]", type);
    return switch (term) {
      case BindMarker marker -> {
        addMarker(marker, receiver);
        yield new Selected(new Expression.Marker(marker.index(), type, function.name()), "?");
      }
      case Term.Literal literal ->
          new Selected(
              new Expression.Constant(Literals.bytes(literal, receiver), type), literal.toString());
      case Term.Null ignored -> new Selected(new Expression.Constant(null, type), "NULL");
      default -> throw Unsupported.feature("the value " + term + " in SELECT");
    };
  }

  private void addMarker(BindMarker marker, Receiver receiver) {
    scope.variables().add(marker, receiver);
    int ignored = slots.add(new ValueSource.Marker(marker.index()), receiver.type());
  }

  private Selected cast(Selectable operand, NativeType type) {
    Selected selected = compile(operand);
    ScalarType to = ScalarTypes.of(type);
    if (to.equals(selected.expression.type())) {
      return selected;
    }
    if (type == NativeType.VARCHAR || !NativeFunctions.isCastTarget(to)) {
      // Cassandra reports the first column of the list, regardless of which one is cast
      List<ColumnSchema> met = inputs.columns();
      throw CqlException.invalid(
          (met.isEmpty() ? selected.name : met.getFirst().name()) + " cannot be cast to " + type);
    }
    Argument argument = new Argument.Typed(selected.name, selected.expression.type());
    CqlFunction function = NativeFunctions.resolveCast(argument, to);
    String name = "cast(" + selected.name + " as " + to.toCql() + ")";
    return function instanceof ScalarFunction scalar
        ? new Selected(new Expression.Call(scalar, List.of(selected.expression)), name)
        : selected;
  }

  private Selected typeHint(TypeName typeName, Selectable operand) {
    CqlType type = scope.type(typeName, table.keyspace());
    if (operand instanceof Selectable.Parenthesised(List<Selectable> elements)
        && elements.size() == 1
        && elements.getFirst() instanceof Selectable.Value) {
      Selected inner = typeHint(typeName, elements.getFirst());
      String hint = "(" + typeName + ")";
      return new Selected(inner.expression, hint + "(" + inner.name.substring(hint.length()) + ")");
    }
    if (operand instanceof Selectable.Value(Term term)) {
      String name = "(" + typeName + ")" + (term instanceof BindMarker ? "?" : term.toString());
      if (untyped(operand).match(type) == Argument.Match.NONE) {
        throw unassignable(name, type);
      }
      Receiver receiver = Receiver.of(table, "[selection]", type);
      return switch (term) {
        case BindMarker marker -> {
          addMarker(marker, receiver);
          yield new Selected(new Expression.Marker(marker.index(), type, name), name);
        }
        case Term.Literal literal ->
            new Selected(new Expression.Constant(Literals.bytes(literal, receiver), type), name);
        case Term.Null ignored -> new Selected(new Expression.Constant(null, type), name);
        default -> throw Unsupported.feature("the value " + term + " in SELECT");
      };
    }
    Selected selected = compile(operand);
    String name = "(" + typeName + ")" + selected.name;
    if (!type.isValueCompatibleWith(selected.expression.type())) {
      throw unassignable(name, type);
    }
    Expression hinted =
        selected.expression instanceof Expression.Input input
            ? new Expression.Input(input.index(), type)
            : selected.expression;
    return new Selected(hinted, name);
  }

  private static CqlException unassignable(String name, CqlType type) {
    return CqlException.invalid(
        "Cannot assign value " + name + " to " + name + " of type " + type.toCql());
  }
}
