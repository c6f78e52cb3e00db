package io.helenus.server.query.value;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.Argument;
import io.helenus.server.functions.CqlFunction;
import io.helenus.server.functions.NativeFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.Unsupported;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles terms with functions, casts and type hints to expressions. Overloads are resolved from
 * the argument types, recursively. One per statement.
 */
final class FunctionTerms {
  private final PlanningScope scope;

  FunctionTerms(PlanningScope scope) {
    this.scope = scope;
  }

  /** Compiles a term for a receiver. */
  ValueSource compile(Term term, Receiver receiver) {
    return new ValueSource.Computed(expression(term, receiver));
  }

  /**
   * Checks that the operand of a type hint has the named type, and the receiver can take it. As in
   * Cassandra, the operand is then compiled for the receiver, so that a literal must fit both.
   */
  void checkHint(Term.TypeHint hint, Receiver receiver) {
    CqlType type = scope.type(hint.type(), receiver.keyspace());
    if (argument(hint.operand(), receiver).match(type) == Argument.Match.NONE) {
      throw CqlException.invalid(
          "Cannot cast value " + hint.operand() + " to type " + type.toCql());
    }
    if (!receiver.type().isValueCompatibleWith(type)) {
      throw CqlException.invalid(
          "Cannot assign value "
              + hint
              + " to "
              + receiver.name()
              + " of type "
              + receiver.type().toCql());
    }
  }

  /** Compiles a term to an expression of the receiver's type. */
  Expression expression(Term term, Receiver receiver) {
    CqlType type = receiver.type();
    return switch (term) {
      case Term.FunctionCall call -> assignable(call(call, receiver, type), receiver);
      case Term.Cast cast -> assignable(call(call(cast), receiver, type), receiver);
      case BindMarker marker -> {
        scope.variables().add(marker, receiver);
        yield new Expression.Marker(marker.index(), type, receiver.name());
      }
      case Term.Null ignored -> new Expression.Constant(null, type);
      case Term.Literal literal -> new Expression.Constant(Literals.bytes(literal, receiver), type);
      case Term.TypeHint hint -> {
        checkHint(hint, receiver);
        yield expression(hint.operand(), receiver);
      }
      case Term.Operation ignored -> throw Unsupported.feature("arithmetic (" + term + ")");
      case Term.Negation ignored -> throw Unsupported.feature("arithmetic (" + term + ")");
      case Term.ListLiteral ignored -> throw Unsupported.feature("a list literal");
      case Term.SetLiteral ignored -> throw Unsupported.feature("a set literal");
      case Term.MapLiteral ignored -> throw Unsupported.feature("a map literal");
      case Term.UserTypeLiteral ignored -> throw Unsupported.feature("a literal of a user type");
      case Term.TupleLiteral(List<Term> elements) -> {
        if (elements.size() > 1) {
          throw Unsupported.feature("a tuple literal");
        }
        yield expression(elements.getFirst(), receiver);
      }
    };
  }

  private static Expression assignable(Expression value, Receiver receiver) {
    if (value instanceof Expression.Call(ScalarFunction function, var ignored)
        && !receiver.type().isValueCompatibleWith(value.type())) {
      throw CqlException.invalid(
          "Type error: cannot assign result of function "
              + function.qualifiedName()
              + " (type "
              + value.type().toCql()
              + ") to "
              + receiver.name()
              + " (type "
              + receiver.type().toCql()
              + ")");
    }
    return value;
  }

  private Expression call(
      Term.FunctionCall call, Receiver receiver, @Nullable CqlType receiverType) {
    ScalarFunction function = resolve(call, receiver, receiverType);
    List<Expression> arguments = new ArrayList<>(call.arguments().size());
    for (int i = 0; i < call.arguments().size(); i++) {
      arguments.add(expression(call.arguments().get(i), parameter(function, i, receiver)));
    }
    return new Expression.Call(function, arguments);
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
    List<Argument> arguments = new ArrayList<>(call.arguments().size());
    for (Term argument : call.arguments()) {
      arguments.add(argument(argument, receiver));
    }
    CqlFunction function;
    try {
      function =
          NativeFunctions.resolve(
              name.keyspace(), name.name(), arguments, partitionKeyTypes(receiver), receiverType);
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

  /** A term as an argument for overload resolution. */
  private Argument argument(Term term, Receiver receiver) {
    return switch (term) {
      case Term.Literal literal ->
          new Argument.Constant(term.toString(), Literals.kind(literal.kind()), literal.text());
      case BindMarker ignored -> new Argument.Untyped("?");
      case Term.Null ignored -> new Argument.Null(term.toString());
      case Term.FunctionCall call ->
          new Argument.Typed(term.toString(), resolve(call, receiver, null).returnType());
      case Term.Cast cast ->
          new Argument.Typed(term.toString(), resolve(call(cast), receiver, null).returnType());
      case Term.TypeHint(var typeName, Term ignored) ->
          new Argument.Typed(term.toString(), scope.type(typeName, receiver.keyspace()));
      case Term.Operation ignored -> throw Unsupported.feature("arithmetic (" + term + ")");
      case Term.Negation ignored -> throw Unsupported.feature("arithmetic (" + term + ")");
      case Term.ListLiteral ignored -> throw Unsupported.feature("a list literal");
      case Term.SetLiteral ignored -> throw Unsupported.feature("a set literal");
      case Term.MapLiteral ignored -> throw Unsupported.feature("a map literal");
      case Term.UserTypeLiteral ignored -> throw Unsupported.feature("a literal of a user type");
      case Term.TupleLiteral(List<Term> elements) -> {
        if (elements.size() > 1) {
          throw Unsupported.feature("a tuple literal");
        }
        yield argument(elements.getFirst(), receiver);
      }
    };
  }

  private List<CqlType> partitionKeyTypes(Receiver receiver) {
    TableSchema table = scope.schema().table(receiver.keyspace(), receiver.table());
    return table == null
        ? List.of()
        : table.partitionKey().stream().map(ColumnSchema::type).toList();
  }
}
