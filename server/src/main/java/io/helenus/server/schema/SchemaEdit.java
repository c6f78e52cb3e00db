package io.helenus.server.schema;

/**
 * One change of the schema as resolved facts: ids, timestamps and every option, never CQL. What the
 * metadata log records. Immutable.
 */
public sealed interface SchemaEdit {
  /** The keyspace that changes. */
  String keyspace();

  /** A keyspace that was not there. */
  record CreateKeyspace(String keyspace, boolean durableWrites, Replication replication)
      implements SchemaEdit {}

  /** New options of a keyspace. */
  record AlterKeyspace(String keyspace, boolean durableWrites, Replication replication)
      implements SchemaEdit {}

  /** A keyspace goes, with all its tables. */
  record DropKeyspace(String keyspace) implements SchemaEdit {}

  /** A table that was not there. */
  record CreateTable(TableSchema table) implements SchemaEdit {
    @Override
    public String keyspace() {
      return table.keyspace();
    }
  }

  /** A table as it is after the change; ids stay. */
  record AlterTable(TableSchema table) implements SchemaEdit {
    @Override
    public String keyspace() {
      return table.keyspace();
    }
  }

  /** A table goes, with its rows. */
  record DropTable(String keyspace, String table) implements SchemaEdit {}
}
