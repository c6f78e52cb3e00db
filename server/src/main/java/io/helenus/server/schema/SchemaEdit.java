package io.helenus.server.schema;

import io.helenus.server.types.UserType;

/**
 * A schema change as recorded in the metadata log. It contains resolved values only (ids,
 * timestamps and all options), no CQL, so that applying it is deterministic. Immutable.
 */
public sealed interface SchemaEdit {
  /** The keyspace that changes. */
  String keyspace();

  /** Creates a keyspace. */
  record CreateKeyspace(String keyspace, boolean durableWrites, Replication replication)
      implements SchemaEdit {}

  /** Changes the options of a keyspace. */
  record AlterKeyspace(String keyspace, boolean durableWrites, Replication replication)
      implements SchemaEdit {}

  /** Drops a keyspace with all its tables. */
  record DropKeyspace(String keyspace) implements SchemaEdit {}

  /** Creates a table. */
  record CreateTable(TableSchema table) implements SchemaEdit {
    @Override
    public String keyspace() {
      return table.keyspace();
    }
  }

  /** Replaces a table by its new definition; its ids do not change. */
  record AlterTable(TableSchema table) implements SchemaEdit {
    @Override
    public String keyspace() {
      return table.keyspace();
    }
  }

  /** Drops a table with its rows. */
  record DropTable(String keyspace, String table) implements SchemaEdit {}

  /** Creates a user type. */
  record CreateType(UserType type) implements SchemaEdit {
    @Override
    public String keyspace() {
      return type.keyspace();
    }
  }

  /** Replaces a user type, also in the types and tables that use it. */
  record AlterType(UserType type) implements SchemaEdit {
    @Override
    public String keyspace() {
      return type.keyspace();
    }
  }

  /** Drops a user type, which nothing uses. */
  record DropType(String keyspace, String type) implements SchemaEdit {}
}
