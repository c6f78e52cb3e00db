package io.helenus.server.query.value;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.Argument;
import io.helenus.server.functions.CqlFunction;
import io.helenus.server.functions.NativeFunctions;
import io.helenus.server.functions.OperationFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TypeResolver;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles terms with functions, casts and type hints to expressions. Overloads are resolved from
 * the argument types, recursively. One per statement.
 */
final class FunctionTerms {
  private static final Term CURRENT_TIMESTAMP =
      new Term.FunctionCall(QualifiedName.of("current_timestamp"), List.of());

  private final PlanningScope scope;
  private final Map<Term, Argument> arguments = new IdentityHashMap<>();
  private final CompositeTerms composites = new CompositeTerms(this);

  FunctionTerms(PlanningScope scope) {
    this.scope = scope;
  }

  /** Compiles a term for a receiver. */
  ValueSource compile(Term term, Receiver receiver) {
    Expression expression = expression(term, receiver);
    return expression instanceof Expression.Constant(byte[] value, CqlType ignored)
        ? new ValueSource.Constant(value)
        : new ValueSource.Computed(expression);
  }

  /**
   * Checks that the operand of a type hint has the named type, and the receiver can take it. As in
   * Cassandra, the operand is then compiled for the receiver, so that a literal must fit both.
   */
  void checkHint(Term.TypeHint hint, Receiver receiver) {
    CqlType type = scope.type(hint.type(), receiver.keyspace());
    if (argument(hint.operand(), receiver).match(type) == Argument.Match.NONE) {
      throw CqlException.invalid(
          "Cannot cast value "
              + hint.operand()
              + " to type "
              + TypeResolver.qualified(hint.type(), receiver.keyspace()));
    }
    if (!receiver.type().isValueCompatibleWith(type)) {
      throw CqlException.invalid(
          "Cannot assign value "
              + new Term.TypeHint(
                  TypeResolver.qualified(hint.type(), receiver.keyspace()), hint.operand())
              + " to "
              + receiver.name()
              + " of type "
              + receiver.type().toCql());
    }
  }

  /** Compiles a term to an expression of the receiver's type. */
  Expression expression(Term term, Receiver receiver) {
    return expression(
        term, receiver, "Invalid unset value for argument in call to function " + receiver.name());
  }

  /**
   * Compiles a term to an expression of the receiver's type.
   *
   * @param unsetError the error text if the term is a marker whose value is unset; null if unset
   *     counts as null
   */
  Expression expression(Term term, Receiver receiver, @Nullable String unsetError) {
    CqlType type = receiver.type();
    return switch (term) {
      case Term.FunctionCall call -> call(call, receiver);
      case Term.Cast cast -> call(call(cast), receiver);
      case BindMarker marker -> {
        scope.variables().add(marker, receiver);
        yield new Expression.Marker(marker.index(), type, unsetError);
      }
      case Term.Null ignored -> new Expression.Constant(null, type);
      case Term.Literal literal ->
          isNow(literal, type)
              ? expression(CURRENT_TIMESTAMP, receiver)
              : new Expression.Constant(Literals.bytes(literal, receiver), type);
      case Term.TypeHint hint -> {
        checkHint(hint, receiver);
        yield expression(hint.operand(), receiver, unsetError);
      }
      case Term.Operation operation -> call(call(operation), receiver);
      case Term.Negation negation -> call(call(negation), receiver);
      case Term.ListLiteral ignored -> composites.expression(term, receiver);
      case Term.SetLiteral ignored -> composites.expression(term, receiver);
      case Term.MapLiteral ignored -> composites.expression(term, receiver);
      case Term.UserTypeLiteral ignored -> composites.expression(term, receiver);
      case Term.TupleLiteral ignored -> composites.expression(term, receiver);
    };
  }

  /** Compiles a call; as in Cassandra, its result is checked before its arguments are compiled. */
  private Expression call(Term.FunctionCall call, Receiver receiver) {
    ScalarFunction function = resolve(call, receiver, receiver.type());
    requireAssignable(function, receiver);
    List<Expression> arguments = new ArrayList<>(call.arguments().size());
    for (int i = 0; i < call.arguments().size(); i++) {
      Expression argument = expression(call.arguments().get(i), parameter(function, i, receiver));
      arguments.add(
          argument instanceof Expression.Marker marker
              ? Expression.Marker.ofArgument(marker.index(), marker.type(), function.name())
              : argument);
    }
    return new Expression.Call(function, arguments);
  }

  private static void requireAssignable(ScalarFunction function, Receiver receiver) {
    if (!receiver.type().isValueCompatibleWith(function.returnType())) {
      throw CqlException.invalid(
          "Type error: cannot assign result of "
              + function.description()
              + " (type "
              + function.returnType().toCql()
              + ") to "
              + receiver.name()
              + " (type "
              + receiver.type().toCql()
              + ")");
    }
  }

  private static Receiver parameter(ScalarFunction function, int index, Receiver receiver) {
    return new Receiver(
        receiver.keyspace(),
        receiver.table(),
        "arg" + index + "(" + function.qualifiedName() + ")",
        function.argumentTypes().get(index),
        null);
  }

  private ScalarFunction resolve(
      Term.FunctionCall call, Receiver receiver, @Nullable CqlType receiverType) {
    QualifiedName name = call.name();
    List<Argument> provided = call.arguments().stream().map(t -> argument(t, receiver)).toList();
    CqlFunction function;
    try {
      function =
          NativeFunctions.resolve(
              name.keyspace(), name.name(), provided, partitionKeyTypes(receiver), receiverType);
    } catch (CqlException e) {
      throw e.getMessage() != null && e.getMessage().startsWith("Unknown function")
          ? CqlException.invalid("Unknown function " + name + " called")
          : e;
    }
    if (!(function instanceof ScalarFunction scalar)) {
      throw CqlException.invalid("Aggregation function are not supported in the where clause");
    }
    return scalar;
  }

  /**
   * Translates a cast to a function call. The cast function for text does not exist under the alias
   * varchar.
   */
  private static Term.FunctionCall call(Term.Cast cast) {
    if (cast.type() == NativeType.VARCHAR) {
      throw CqlException.invalid("Unknown function system.cast_as_varchar called");
    }
    return new Term.FunctionCall(
        new QualifiedName("system", "cast_as_" + cast.type()), List.of(cast.operand()));
  }

  /** Translates an operation to a call of the function that implements it. */
  private static Term.FunctionCall call(Term.Operation operation) {
    return new Term.FunctionCall(
        new QualifiedName("system", operation.operator().functionName()),
        List.of(operation.left(), operation.right()));
  }

  private static Term.FunctionCall call(Term.Negation negation) {
    return new Term.FunctionCall(
        new QualifiedName("system", OperationFunctions.NEGATE), List.of(negation.operand()));
  }

  /** A term as an argument for overload resolution. */
  Argument argument(Term term, Receiver receiver) {
    Argument known = arguments.get(term);
    if (known == null) {
      known = newArgument(term, receiver);
      arguments.put(term, known);
    }
    return known;
  }

  private Argument newArgument(Term term, Receiver receiver) {
    return switch (term) {
      case Term.Literal literal ->
          new Argument.Constant(term.toString(), Literals.kind(literal.kind()), literal.text());
      case BindMarker ignored -> new Argument.Untyped("?");
      case Term.Null ignored -> new Argument.Null(term.toString());
      case Term.FunctionCall call -> result(term, call, receiver);
      case Term.Cast cast -> result(term, call(cast), receiver);
      case Term.TypeHint hint -> hinted(hint, receiver);
      case Term.Operation operation -> result(term, call(operation), receiver);
      case Term.Negation negation -> result(term, call(negation), receiver);
      case Term.ListLiteral ignored -> composite(term, receiver);
      case Term.SetLiteral ignored -> composite(term, receiver);
      case Term.MapLiteral ignored -> composite(term, receiver);
      case Term.UserTypeLiteral ignored -> composite(term, receiver);
      case Term.TupleLiteral(List<Term> elements) when elements.size() == 1 ->
          new Argument.Parenthesised(
              term.toString(), argument(elements.getFirst(), receiver), composite(term, receiver));
      case Term.TupleLiteral ignored -> composite(term, receiver);
    };
  }

  /** An unknown type is reported once it is compared, as in Cassandra. */
  private Argument hinted(Term.TypeHint hint, Receiver receiver) {
    try {
      return new Argument.Typed(hint.toString(), scope.type(hint.type(), receiver.keyspace()));
    } catch (CqlException e) {
      return new Argument.Dependent(
          hint.toString(),
          ignored -> {
            throw e;
          },
          () -> {
            throw e;
          });
    }
  }

  /**
   * The result of a call as an argument. A call that cannot be resolved matches every type, and so
   * does one of a function without fixed overloads; its error is reported when it is compiled, as
   * in Cassandra.
   */
  private Argument result(Term term, Term.FunctionCall call, Receiver receiver) {
    String name = call.name().name();
    boolean overloaded = NativeFunctions.hasFixedOverloads(name);
    return new Argument.Dependent(
        term.toString(),
        wanted -> {
          CqlType type = overloaded ? resultType(call, receiver, wanted) : null;
          if (type == null) {
            return Argument.Match.WEAK;
          }
          return new Argument.Typed("", type).match(wanted);
        },
        () -> name.equals("token") ? null : resultType(call, receiver, null));
  }

  private @Nullable CqlType resultType(
      Term.FunctionCall call, Receiver receiver, @Nullable CqlType wanted) {
    try {
      return resolve(call, receiver, wanted).returnType();
    } catch (CqlException e) {
      return null;
    }
  }

  private Argument composite(Term literal, Receiver receiver) {
    return new Argument.Dependent(
        literal.toString(),
        wanted ->
            composites.match(
                literal,
                new Receiver(receiver.keyspace(), receiver.table(), receiver.name(), wanted, null)),
        () -> composites.exactType(literal, receiver));
  }

  /** How well a term matches the type of a receiver. */
  Argument.Match match(Term term, Receiver receiver) {
    return term instanceof Term.TupleLiteral
        ? composites.match(term, receiver)
        : argument(term, receiver).match(receiver.type());
  }

  /** Whether this is the timestamp {@code 'now'}, which is computed when the statement runs. */
  private static boolean isNow(Term.Literal literal, CqlType type) {
    return type == ScalarType.TIMESTAMP
        && literal.kind() == Term.LiteralKind.STRING
        && literal.text().equalsIgnoreCase("now");
  }

  private PartitionKeyTypes partitionKeyTypes(Receiver receiver) {
    TableSchema table = scope.schema().table(receiver.keyspace(), receiver.table());
    return table == null
        ? PartitionKeyTypes.NONE
        : scope.keyspaceOf(table).partitionKeyTypes(table);
  }
}
