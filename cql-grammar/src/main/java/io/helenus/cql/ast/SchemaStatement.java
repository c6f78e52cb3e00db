package io.helenus.cql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that defines keyspaces, tables or other schema elements. */
public sealed interface SchemaStatement extends Statement
    permits KeyspaceStatement,
        TableStatement,
        TypeStatement,
        IndexStatement,
        ViewStatement,
        FunctionStatement,
        TriggerStatement {

  /**
   * A dynamic data mask: {@code MASKED WITH function(arguments)}; DEFAULT is {@code
   * system.mask_default()}.
   */
  record ColumnMask(QualifiedName function, List<Term> arguments) {
    /** Copies the list. */
    public ColumnMask {
      arguments = List.copyOf(arguments);
    }
  }

  /** A column constraint of Cassandra 6: one condition of {@code CHECK … AND …}. */
  sealed interface ColumnCheck {
    /** {@code NOT NULL}. */
    record NotNull() implements ColumnCheck {}

    /**
     * {@code function(arguments) operator value}.
     *
     * @param arguments strings as written, with their quotes
     * @param operator null if there is none
     * @param value as written, with the quotes of a string; null if there is no operator
     */
    record OfFunction(
        String function,
        List<String> arguments,
        @Nullable Operator operator,
        @Nullable String value)
        implements ColumnCheck {
      /** Copies the list. */
      public OfFunction {
        arguments = List.copyOf(arguments);
      }
    }

    /**
     * {@code column operator value}.
     *
     * @param value as written, with the quotes of a string
     */
    record OfValue(String column, Operator operator, String value) implements ColumnCheck {}
  }

  /**
   * A column of CREATE TABLE or ALTER TABLE ADD.
   *
   * @param checks empty in Cassandra 5.0
   */
  record ColumnDefinition(
      String name,
      TypeName type,
      boolean isStatic,
      @Nullable ColumnMask mask,
      List<ColumnCheck> checks) {
    /** Copies the list. */
    public ColumnDefinition {
      checks = List.copyOf(checks);
    }

    /** A column without constraints. */
    public ColumnDefinition(
        String name, TypeName type, boolean isStatic, @Nullable ColumnMask mask) {
      this(name, type, isStatic, mask, List.of());
    }
  }

  /** One element of CLUSTERING ORDER BY. */
  record ClusteringOrder(String column, boolean descending) {}

  /** {@code from TO to}. */
  record Renaming(String from, String to) {}
}
