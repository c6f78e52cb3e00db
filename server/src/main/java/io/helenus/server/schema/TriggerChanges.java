package io.helenus.server.schema;

import io.helenus.cql.ast.TriggerStatement;
import io.helenus.cql.ast.TriggerStatement.CreateTrigger;
import io.helenus.cql.ast.TriggerStatement.DropTrigger;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.SchemaChange.Action;
import java.util.List;

/**
 * CREATE and DROP TRIGGER. A trigger is a Java class in Cassandra's folder for triggers. Helenus
 * has no such folder, so no class can be loaded and no table has a trigger. Stateless.
 */
final class TriggerChanges {
  private TriggerChanges() {}

  static SchemaChange plan(Schema schema, TriggerStatement statement, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(statement.table(), context);
    if (SchemaNames.isLocalSystem(keyspace)) {
      throw CqlException.invalid("System keyspace '" + keyspace + "' is not user-modifiable");
    }
    return switch (statement) {
      case CreateTrigger create -> throw refusal(schema, keyspace, create);
      case DropTrigger drop -> drop(keyspace, drop);
    };
  }

  private static CqlException refusal(Schema schema, String keyspace, CreateTrigger create) {
    KeyspaceSchema found = schema.keyspace(keyspace);
    if (found == null) {
      return CqlException.invalid("Keyspace '" + keyspace + "' doesn't exist");
    }
    String table = create.table().name();
    TableSchema of = found.table(table);
    if (of == null) {
      return CqlException.invalid("Table '" + table + "' doesn't exist");
    }
    if (of.view() != null) {
      return CqlException.invalid("Cannot CREATE TRIGGER for a materialized view");
    }
    return CqlException.invalid("Trigger class '" + create.className() + "' couldn't be loaded");
  }

  private static SchemaChange drop(String keyspace, DropTrigger drop) {
    String table = drop.table().name();
    if (!drop.ifExists()) {
      throw CqlException.invalid(
          "Trigger '" + drop.name() + "' on '" + keyspace + "." + table + "' doesn't exist");
    }
    return new SchemaChange(null, Action.UPDATED, keyspace, table, List.of());
  }
}
