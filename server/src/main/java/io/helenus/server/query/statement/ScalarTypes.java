package io.helenus.server.query.statement;

import io.helenus.cql.ast.NativeType;
import io.helenus.server.types.ScalarType;

/** Types of the grammar as types of values. Stateless. */
public final class ScalarTypes {
  private ScalarTypes() {}

  public static ScalarType of(NativeType type) {
    ScalarType found = ScalarType.named(type.toString());
    if (found == null) {
      throw new IllegalStateException("no type " + type);
    }
    return found;
  }
}
