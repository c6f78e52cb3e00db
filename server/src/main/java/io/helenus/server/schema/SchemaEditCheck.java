package io.helenus.server.schema;

import io.helenus.server.types.UserType;
import org.jspecify.annotations.Nullable;

/**
 * Whether an edit can be applied to a schema. Whoever plans an edit checks far more; this is what
 * keeps an entry of the metadata log that should not be there from breaking the schema. A pure
 * function. Stateless.
 */
public final class SchemaEditCheck {
  private SchemaEditCheck() {}

  /** Why the edit cannot be applied; null if it can. */
  public static @Nullable String refusal(Schema schema, SchemaEdit edit) {
    KeyspaceSchema keyspace = schema.keyspace(edit.keyspace());
    if (edit instanceof SchemaEdit.CreateKeyspace) {
      return keyspace == null ? null : "keyspace " + edit.keyspace() + " already exists";
    }
    if (keyspace == null) {
      return "keyspace " + edit.keyspace() + " does not exist";
    }
    if (keyspace.isLazy()) {
      return "keyspace " + edit.keyspace() + " is defined in the program";
    }
    return switch (edit) {
      case SchemaEdit.CreateKeyspace _, SchemaEdit.AlterKeyspace _ -> null;
      case SchemaEdit.DropKeyspace(String name) ->
          SchemaNames.isSystem(name) ? "keyspace " + name + " is defined in the program" : null;
      case SchemaEdit.CreateTable(TableSchema table) -> create(keyspace, table);
      case SchemaEdit.AlterTable(TableSchema table) -> alter(keyspace, table);
      case SchemaEdit.DropTable(String _, String table) -> drop(keyspace, table);
      case SchemaEdit.CreateType(UserType type) ->
          keyspace.type(type.name()) == null ? null : "type " + type.name() + " already exists";
      case SchemaEdit.AlterType(UserType type) ->
          keyspace.type(type.name()) == null ? "type " + type.name() + " does not exist" : null;
      case SchemaEdit.DropType(String _, String type) -> dropType(keyspace, type);
    };
  }

  private static @Nullable String create(KeyspaceSchema keyspace, TableSchema table) {
    if (keyspace.table(table.name()) != null) {
      return "table " + table + " already exists";
    }
    ViewSchema view = table.view();
    if (view != null) {
      TableSchema base = keyspace.table(view.baseTable());
      if (base == null || !base.id().equals(view.baseId())) {
        return "the base table " + view.baseTable() + " does not exist";
      }
    }
    return null;
  }

  private static @Nullable String alter(KeyspaceSchema keyspace, TableSchema table) {
    TableSchema before = keyspace.table(table.name());
    if (before == null) {
      return "table " + table + " does not exist";
    }
    boolean same = before.id().equals(table.id()) && before.storageId() == table.storageId();
    return same ? null : "table " + table + " is another one of this name";
  }

  private static @Nullable String drop(KeyspaceSchema keyspace, String name) {
    TableSchema table = keyspace.table(name);
    if (table == null) {
      return "table " + keyspace.name() + "." + name + " does not exist";
    }
    return keyspace.viewsOf(table).isEmpty() ? null : "table " + table + " has views";
  }

  private static @Nullable String dropType(KeyspaceSchema keyspace, String name) {
    UserType type = keyspace.type(name);
    if (type == null) {
      return "type " + name + " does not exist";
    }
    boolean used =
        keyspace.types().stream().anyMatch(each -> !each.isSame(type) && each.references(type))
            || keyspace.tables().stream().anyMatch(table -> table.references(type));
    return used ? "type " + name + " is used" : null;
  }
}
