package io.helenus.server.query.statement;

import io.helenus.cql.ast.NativeType;
import io.helenus.server.types.ScalarType;

/** Converts native types of the grammar to types of values. Stateless; any thread. */
public final class ScalarTypes {
  private ScalarTypes() {}

  /** The scalar type with the name of a native type. */
  public static ScalarType of(NativeType type) {
    ScalarType found = ScalarType.named(type.toString());
    if (found == null) {
      throw new IllegalStateException("unknown type " + type);
    }
    return found;
  }
}
