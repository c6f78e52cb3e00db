package io.helenus.cql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE and DROP of FUNCTION and AGGREGATE. */
public sealed interface FunctionStatement extends SchemaStatement {

  /** The function or aggregate. */
  QualifiedName name();

  /** An argument of a function. */
  record Argument(String name, TypeName type) {}

  /**
   * CREATE FUNCTION.
   *
   * @param language in lower case
   * @param body the unescaped string
   */
  record CreateFunction(
      QualifiedName name,
      boolean orReplace,
      boolean ifNotExists,
      List<Argument> arguments,
      boolean calledOnNullInput,
      TypeName returnType,
      String language,
      String body)
      implements FunctionStatement {
    /** Copies the list. */
    public CreateFunction {
      arguments = List.copyOf(arguments);
    }

    @Override
    public String feature() {
      return "CREATE FUNCTION";
    }
  }

  /**
   * DROP FUNCTION.
   *
   * @param argumentTypes null when no parentheses were written
   */
  record DropFunction(QualifiedName name, boolean ifExists, @Nullable List<TypeName> argumentTypes)
      implements FunctionStatement {
    /** Copies the list. */
    public DropFunction {
      argumentTypes = argumentTypes == null ? null : List.copyOf(argumentTypes);
    }

    @Override
    public String feature() {
      return "DROP FUNCTION";
    }
  }

  /** CREATE AGGREGATE. */
  record CreateAggregate(
      QualifiedName name,
      boolean orReplace,
      boolean ifNotExists,
      List<TypeName> argumentTypes,
      String stateFunction,
      TypeName stateType,
      @Nullable String finalFunction,
      @Nullable Term initialCondition)
      implements FunctionStatement {
    /** Copies the list. */
    public CreateAggregate {
      argumentTypes = List.copyOf(argumentTypes);
    }

    @Override
    public String feature() {
      return "CREATE AGGREGATE";
    }
  }

  /**
   * DROP AGGREGATE.
   *
   * @param argumentTypes null when no parentheses were written
   */
  record DropAggregate(QualifiedName name, boolean ifExists, @Nullable List<TypeName> argumentTypes)
      implements FunctionStatement {
    /** Copies the list. */
    public DropAggregate {
      argumentTypes = argumentTypes == null ? null : List.copyOf(argumentTypes);
    }

    @Override
    public String feature() {
      return "DROP AGGREGATE";
    }
  }
}
