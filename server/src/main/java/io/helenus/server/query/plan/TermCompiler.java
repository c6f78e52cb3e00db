package io.helenus.server.query.plan;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.types.ConstantKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import java.util.List;

/** Makes value sources of terms: checks that a term fits its receiver. One planning. */
final class TermCompiler {
  private static final Term CURRENT_TIMESTAMP =
      new Term.FunctionCall(QualifiedName.of("current_timestamp"), List.of());

  private final BindVariables variables;
  private final FunctionTerms functions;

  TermCompiler(BindVariables variables, FunctionTerms functions) {
    this.variables = variables;
    this.functions = functions;
  }

  /** What the term gives this receiver. */
  ValueSource compile(Term term, Receiver receiver) {
    return switch (term) {
      case BindMarker marker -> variables.add(marker, receiver);
      case Term.Null ignored -> new ValueSource.Constant(null);
      case Term.Literal literal ->
          isNow(literal, receiver)
              ? functions.compile(CURRENT_TIMESTAMP, receiver)
              : new ValueSource.Constant(literal(literal, receiver));
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
      case Term.Negation(Term.Literal literal)
          when literal.kind() == Term.LiteralKind.INTEGER
              || literal.kind() == Term.LiteralKind.FLOAT ->
          new ValueSource.Constant(literal(negated(literal), receiver));
      case Term.Negation ignored -> functions.compile(term, receiver);
      case Term.TypeHint ignored -> functions.compile(term, receiver);
      case Term.Cast ignored -> functions.compile(term, receiver);
    };
  }

  /** The timestamp {@code 'now'}, which needs the clock. */
  private static boolean isNow(Term.Literal literal, Receiver receiver) {
    return receiver.type() == ScalarType.TIMESTAMP
        && literal.kind() == Term.LiteralKind.STRING
        && literal.text().equalsIgnoreCase("now");
  }

  /** The wire bytes of a literal of the receiver's type. */
  static byte[] literal(Term.Literal literal, Receiver receiver) {
    CqlType type = receiver.type();
    ConstantKind kind = kind(literal.kind());
    if (!(type instanceof ScalarType scalar)) {
      throw CqlException.invalid(
          "Invalid "
              + kind
              + " constant ("
              + literal.text()
              + ") for \""
              + receiver.name()
              + "\" of type "
              + type.toCql());
    }
    return scalar.fromConstant(kind, literal.text(), receiver.name());
  }

  private static Term.Literal negated(Term.Literal literal) {
    String text = literal.text();
    return new Term.Literal(literal.kind(), text.startsWith("-") ? text.substring(1) : "-" + text);
  }

  static ConstantKind kind(Term.LiteralKind kind) {
    return switch (kind) {
      case STRING -> ConstantKind.STRING;
      case INTEGER -> ConstantKind.INTEGER;
      case FLOAT -> ConstantKind.FLOAT;
      case BOOLEAN -> ConstantKind.BOOLEAN;
      case DURATION -> ConstantKind.DURATION;
      case UUID -> ConstantKind.UUID;
      case HEX -> ConstantKind.HEX;
    };
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
