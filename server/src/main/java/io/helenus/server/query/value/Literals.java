package io.helenus.server.query.value;

import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.types.ConstantKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TupleType;
import io.helenus.storage.bytes.ByteWriter;

/** Converts literals of the grammar to values. Stateless; any thread. */
public final class Literals {
  private Literals() {}

  /**
   * Converts a literal to the wire format of the receiver's type.
   *
   * @throws CqlException INVALID if the type has no such literal
   */
  public static byte[] bytes(Term.Literal literal, Receiver receiver) {
    CqlType type = receiver.type();
    ConstantKind kind = kind(literal.kind());
    if (type instanceof TupleType tuple) {
      byte[] value =
          kind == ConstantKind.HEX
              ? ScalarType.BLOB.fromConstant(kind, literal.text(), receiver.name())
              : tuple.fromString(literal.text());
      type.validate(new ByteWriter(value.length).putBytes(value).segment(), 0, value.length);
      return value;
    }
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

  /** The syntactic kind of a literal, which determines its possible types. */
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
