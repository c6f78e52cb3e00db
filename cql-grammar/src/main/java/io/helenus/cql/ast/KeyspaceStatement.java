package io.helenus.cql.ast;

/** CREATE, ALTER and DROP KEYSPACE. */
public sealed interface KeyspaceStatement extends SchemaStatement {

  /** The keyspace. */
  String keyspace();

  /** CREATE KEYSPACE. */
  record CreateKeyspace(String keyspace, boolean ifNotExists, Properties properties)
      implements KeyspaceStatement {
    @Override
    public String feature() {
      return "CREATE KEYSPACE";
    }
  }

  /** ALTER KEYSPACE. */
  record AlterKeyspace(String keyspace, boolean ifExists, Properties properties)
      implements KeyspaceStatement {
    @Override
    public String feature() {
      return "ALTER KEYSPACE";
    }
  }

  /** DROP KEYSPACE. */
  record DropKeyspace(String keyspace, boolean ifExists) implements KeyspaceStatement {
    @Override
    public String feature() {
      return "DROP KEYSPACE";
    }
  }
}
