package io.helenus.server.functions;

import io.helenus.server.types.CqlType;
import java.util.List;
import java.util.StringJoiner;

/** A native function of one signature. Immutable; any thread. */
public sealed interface CqlFunction permits ScalarFunction, AggregateFunction {
  /** The name without keyspace, in lower case, as the result column shows it. */
  String name();

  /** The types of the arguments. */
  List<CqlType> argumentTypes();

  /** The type of the result. */
  CqlType returnType();

  /** The name with its keyspace: {@code system.now}. */
  default String qualifiedName() {
    return "system." + name();
  }

  /** The qualified name as error texts show it, quoted where CQL requires it. */
  default String displayName() {
    return name().startsWith("_") ? "system.\"" + name() + "\"" : qualifiedName();
  }

  /** The signature as error texts list overloads: {@code system.abs : (int) -> int}. */
  default String signature() {
    StringJoiner types = new StringJoiner(", ", "(", ")");
    for (CqlType type : argumentTypes()) {
      types.add(type.toCql());
    }
    return displayName() + " : " + types + " -> " + returnType().toCql();
  }

  /** The name of a result column: {@code system.abs(c)}, {@code cast(c as text)}. */
  default String columnName(List<String> argumentTexts) {
    return qualifiedName() + "(" + String.join(", ", argumentTexts) + ")";
  }
}
