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

  /** A column of CREATE TABLE or ALTER TABLE ADD. */
  record ColumnDefinition(
      String name, TypeName type, boolean isStatic, @Nullable ColumnMask mask) {}

  /** One element of CLUSTERING ORDER BY. */
  record ClusteringOrder(String column, boolean descending) {}

  /** {@code from TO to}. */
  record Renaming(String from, String to) {}
}
