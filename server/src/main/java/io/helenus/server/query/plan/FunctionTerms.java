package io.helenus.server.query.plan;

import io.helenus.cql.ast.Term;

/** Terms that are worked out by functions. One planning. */
final class FunctionTerms {
  ValueSource compile(Term term, Receiver receiver, BindVariables variables) {
    throw Unsupported.feature("the term " + term);
  }
}
