package io.helenus.cql.ast;

/** CREATE and DROP TRIGGER. */
public sealed interface TriggerStatement extends SchemaStatement {

  /** The table. */
  QualifiedName table();

  /** CREATE TRIGGER. */
  record CreateTrigger(String name, QualifiedName table, String className, boolean ifNotExists)
      implements TriggerStatement {
    @Override
    public String feature() {
      return "CREATE TRIGGER";
    }
  }

  /** DROP TRIGGER. */
  record DropTrigger(String name, QualifiedName table, boolean ifExists)
      implements TriggerStatement {
    @Override
    public String feature() {
      return "DROP TRIGGER";
    }
  }
}
