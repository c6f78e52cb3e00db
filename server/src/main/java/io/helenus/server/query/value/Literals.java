package io.helenus.server.query.value;

import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.types.ConstantKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;

/** Literals of the grammar as values of types. Stateless. */
public final class Literals {
  private Literals() {}

  /** The wire bytes of a literal of the receiver's type. */
  public static byte[] bytes(Term.Literal literal, Receiver receiver) {
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

  /** What a literal looks like, which decides the types that it can have. */
  public static ConstantKind kind(Term.LiteralKind kind) {
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
}
