package io.helenus.cql.ast;

import java.util.List;

/** CREATE, ALTER and DROP TYPE. */
public sealed interface TypeStatement extends SchemaStatement {

  /** The type. */
  QualifiedName type();

  /** A field of a user type. */
  record FieldDefinition(String name, TypeName type) {}

  /** CREATE TYPE, at least one field; field names are not validated, so there may be duplicates. */
  record CreateType(QualifiedName type, boolean ifNotExists, List<FieldDefinition> fields)
      implements TypeStatement {
    /** Copies the list. */
    public CreateType {
      fields = List.copyOf(fields);
    }

    @Override
    public String feature() {
      return "CREATE TYPE";
    }
  }

  /** ALTER TYPE. */
  record AlterType(QualifiedName type, boolean ifExists, Alteration alteration)
      implements TypeStatement {
    @Override
    public String feature() {
      return "ALTER TYPE";
    }
  }

  /** DROP TYPE. */
  record DropType(QualifiedName type, boolean ifExists) implements TypeStatement {
    @Override
    public String feature() {
      return "DROP TYPE";
    }
  }

  /** What ALTER TYPE does. */
  sealed interface Alteration {

    /** {@code ALTER field TYPE type}. */
    record ChangeType(String field, TypeName type) implements Alteration {}

    /** {@code ADD field type}. */
    record Add(boolean ifFieldNotExists, FieldDefinition field) implements Alteration {}

    /** {@code RENAME a TO b AND …}, at least one renaming. */
    record Rename(boolean ifFieldExists, List<Renaming> renamings) implements Alteration {
      /** Copies the list. */
      public Rename {
        renamings = List.copyOf(renamings);
      }
    }
  }
}
