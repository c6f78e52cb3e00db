package io.helenus.server.schema;

import io.helenus.cql.ast.QualifiedName;
import io.helenus.cql.ast.ViewStatement.AlterView;
import io.helenus.cql.ast.ViewStatement.DropView;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.SchemaChange.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ALTER and DROP MATERIALIZED VIEW. Stateless. */
final class ViewChanges {
  private ViewChanges() {}

  static SchemaChange alter(Schema schema, AlterView statement, SchemaContext context) {
    String keyspace = keyspaceOf(statement.view(), context);
    String name = statement.view().name();
    TableSchema view = find(schema, keyspace, name);
    if (view == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.UPDATED, keyspace, name, List.of());
      }
      throw missing(keyspace, name);
    }
    TableOptions ignored = new TableOptionsReader(statement.properties()).read(view.options());
    TableOptionsReader reader =
        new TableOptionsReader(TableGuards.checkProperties(statement.properties(), context));
    TableOptions options = reader.read(view.options());
    if (reader.id() != null) {
      throw CqlException.configuration("Cannot alter table id.");
    }
    if (options.gcGraceSeconds() == 0) {
      throw CqlException.invalid(
          "Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to"
              + " TTL undelivered updates. Setting gc_grace_seconds too low might cause undelivered"
              + " updates to expire before being replayed.");
    }
    if (options.defaultTimeToLiveSeconds() > 0) {
      throw CqlException.invalid(
          "Forbidden default_time_to_live detected for a materialized view. Data in a materialized"
              + " view always expire at the same time than the corresponding data in the parent"
              + " table. default_time_to_live must be set to zero, see CASSANDRA-12868 for more"
              + " information");
    }
    return new SchemaChange(
        options.equals(view.options())
            ? null
            : new SchemaEdit.AlterTable(view.toBuilder().options(options).build()),
        Action.UPDATED,
        keyspace,
        name,
        List.of());
  }

  static SchemaChange drop(Schema schema, DropView statement, SchemaContext context) {
    String keyspace = keyspaceOf(statement.view(), context);
    String name = statement.view().name();
    if (find(schema, keyspace, name) == null) {
      if (statement.ifExists()) {
        return new SchemaChange(null, Action.DROPPED, keyspace, name, List.of());
      }
      throw missing(keyspace, name);
    }
    return new SchemaChange(
        new SchemaEdit.DropTable(keyspace, name), Action.DROPPED, keyspace, name, List.of());
  }

  private static String keyspaceOf(QualifiedName name, SchemaContext context) {
    String keyspace = SchemaNames.keyspaceOfDefinition(name, context);
    if (SchemaNames.isLocalSystem(keyspace)) {
      throw CqlException.invalid("System keyspace '" + keyspace + "' is not user-modifiable");
    }
    return keyspace;
  }

  private static @Nullable TableSchema find(Schema schema, String keyspace, String name) {
    TableSchema found = schema.table(keyspace, name);
    return found == null || found.view() == null ? null : found;
  }

  private static CqlException missing(String keyspace, String name) {
    return CqlException.invalid("Materialized view '" + keyspace + "." + name + "' doesn't exist");
  }
}
