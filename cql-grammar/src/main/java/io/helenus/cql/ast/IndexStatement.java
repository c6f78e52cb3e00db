package io.helenus.cql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE and DROP INDEX. */
public sealed interface IndexStatement extends SchemaStatement {

  /** The indexed part of a column. */
  enum TargetKind {
    /** The column: {@code (c)}. */
    SIMPLE,
    /** {@code values(c)}. */
    VALUES,
    /** {@code keys(c)}. */
    KEYS,
    /** {@code entries(c)}. */
    ENTRIES,
    /** {@code full(c)}. */
    FULL
  }

  /** One element of the list in parentheses. */
  record Target(TargetKind kind, String column) {}

  /**
   * CREATE [CUSTOM] INDEX.
   *
   * @param name null to have one generated
   * @param targets may be empty for a custom index
   * @param using the class or short name after USING, unescaped; null when not written
   */
  record CreateIndex(
      @Nullable String name,
      QualifiedName table,
      boolean custom,
      boolean ifNotExists,
      List<Target> targets,
      @Nullable String using,
      Properties properties)
      implements IndexStatement {
    /** Copies the list. */
    public CreateIndex {
      targets = List.copyOf(targets);
    }

    @Override
    public String feature() {
      return custom ? "CREATE CUSTOM INDEX" : "CREATE INDEX";
    }
  }

  /** DROP INDEX. */
  record DropIndex(QualifiedName index, boolean ifExists) implements IndexStatement {
    @Override
    public String feature() {
      return "DROP INDEX";
    }
  }
}
