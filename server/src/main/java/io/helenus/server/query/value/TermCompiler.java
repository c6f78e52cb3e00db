package io.helenus.server.query.value;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.statement.Unsupported;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles terms to value sources and checks that they fit their receivers. Pure; one per
 * statement.
 */
public final class TermCompiler {
  private static final Term CURRENT_TIMESTAMP =
      new Term.FunctionCall(QualifiedName.of("current_timestamp"), List.of());

  private final PlanningScope scope;
  private final FunctionTerms functions;
  private final Map<Term, ValueSource> given = new IdentityHashMap<>();

  /** Creates a compiler for the terms of a statement, which records markers in the scope. */
  public TermCompiler(PlanningScope scope) {
    this.scope = scope;
    this.functions = new FunctionTerms(scope);
  }

  /** Returns a term whose value has this source; it is compiled as any other. */
  public Term given(String name, ValueSource source) {
    Term term = new Term.Literal(Term.LiteralKind.STRING, name);
    given.put(term, source);
    return term;
  }

  /**
   * Compiles a term for a receiver.
   *
   * @throws CqlException if the term is invalid, with Cassandra's error, or not supported by
   *     Helenus
   */
  public ValueSource compile(Term term, Receiver receiver) {
    ValueSource known = given.isEmpty() ? null : given.get(term);
    return known == null ? compileWritten(term, receiver) : known;
  }

  private ValueSource compileWritten(Term term, Receiver receiver) {
    return switch (term) {
      case BindMarker marker -> marker(marker, receiver);
      case Term.Null ignored -> new ValueSource.Constant(null);
      case Term.Literal literal ->
          isNow(literal, receiver)
              ? functions.compile(CURRENT_TIMESTAMP, receiver)
              : new ValueSource.Constant(Literals.bytes(literal, receiver));
      case Term.ListLiteral ignored -> {
        if (receiver.type() instanceof ListType || receiver.type() instanceof VectorType) {
          throw unsupported("a list literal");
        }
        throw CqlException.invalid(
            "Unexpected receiver type '"
                + receiver.type().toCql()
                + "'; only list and vector are expected");
      }
      case Term.SetLiteral ignored ->
          throw receiver.type() instanceof SetType || receiver.type() instanceof MapType
              ? unsupported("a set literal")
              : invalidLiteral("set", receiver);
      case Term.MapLiteral ignored ->
          throw receiver.type() instanceof MapType
              ? unsupported("a map literal")
              : invalidLiteral("map", receiver);
      case Term.UserTypeLiteral ignored ->
          throw receiver.type() instanceof UserType
              ? unsupported("a literal of a user type")
              : invalidLiteral("user type", receiver);
      case Term.TupleLiteral(var elements)
          when elements.size() == 1 && receiver.type() instanceof ScalarType ->
          compile(elements.getFirst(), receiver);
      case Term.TupleLiteral ignored ->
          throw receiver.type() instanceof TupleType
              ? unsupported("a tuple literal")
              : invalidLiteral("tuple type", receiver);
      case Term.FunctionCall ignored -> functions.compile(term, receiver);
      case Term.Operation ignored -> functions.compile(term, receiver);
      case Term.Negation(Term.Literal literal) when literal.isNumber() ->
          new ValueSource.Constant(Literals.bytes(literal.negated(), receiver));
      case Term.Negation ignored -> functions.compile(term, receiver);
      case Term.TypeHint hint -> {
        functions.checkHint(hint, receiver);
        yield compile(hint.operand(), receiver);
      }
      case Term.Cast ignored -> functions.compile(term, receiver);
    };
  }

  /** Compiles a marker and records its receiver. */
  public ValueSource marker(BindMarker marker, Receiver receiver) {
    scope.variables().add(marker, receiver);
    return new ValueSource.Marker(marker.index());
  }

  /** Whether this is the timestamp {@code 'now'}, which is computed when the statement runs. */
  private static boolean isNow(Term.Literal literal, Receiver receiver) {
    return receiver.type() == ScalarType.TIMESTAMP
        && literal.kind() == Term.LiteralKind.STRING
        && literal.text().equalsIgnoreCase("now");
  }

  private static CqlException invalidLiteral(String what, Receiver receiver) {
    return CqlException.invalid(
        "Invalid "
            + what
            + " literal for "
            + receiver.name()
            + " of type "
            + receiver.type().toCql());
  }

  private static CqlException unsupported(String what) {
    return Unsupported.feature(what);
  }
}
