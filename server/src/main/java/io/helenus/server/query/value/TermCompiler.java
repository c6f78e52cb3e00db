package io.helenus.server.query.value;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Compiles terms to value sources and checks that they fit their receivers. Pure; one per
 * statement.
 */
public final class TermCompiler {
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
      case Term.Null ignored -> {
        if (receiver.type().isCounter()) {
          throw CqlException.invalid("Invalid null value for counter increment/decrement");
        }
        yield new ValueSource.Constant(null);
      }
      case Term.Literal ignored -> functions.compile(term, receiver);
      case Term.ListLiteral ignored -> functions.compile(term, receiver);
      case Term.SetLiteral ignored -> functions.compile(term, receiver);
      case Term.MapLiteral ignored -> functions.compile(term, receiver);
      case Term.UserTypeLiteral ignored -> functions.compile(term, receiver);
      case Term.TupleLiteral(var elements)
          when CompositeTerms.isParenthesised(elements, receiver.type()) ->
          compile(elements.getFirst(), receiver);
      case Term.TupleLiteral ignored -> functions.compile(term, receiver);
      case Term.FunctionCall ignored -> functions.compile(term, receiver);
      case Term.Operation ignored -> functions.compile(term, receiver);
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
}
