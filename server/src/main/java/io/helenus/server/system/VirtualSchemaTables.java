package io.helenus.server.system;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;

/** The tables of {@code system_virtual_schema}, which describe virtual keyspaces. Stateless. */
final class VirtualSchemaTables {
  private VirtualSchemaTables() {}

  static void produce(VirtualRows rows, SchemaWalk walk) {
    switch (rows.table().name()) {
      case "keyspaces" -> walk.forEachKeyspace(rows, keyspace -> keyspace(keyspace, rows));
      case "tables" -> walk.forEachTable(rows, table -> table(table, rows));
      default -> walk.forEachTable(rows, table -> SchemaTables.columns(table, rows));
    }
  }

  private static void keyspace(KeyspaceSchema keyspace, VirtualRows rows) {
    rows.row().text("keyspace_name", keyspace.name()).end();
  }

  private static void table(TableSchema table, VirtualRows rows) {
    rows.row()
        .text("keyspace_name", table.keyspace())
        .text("table_name", table.name())
        .text("comment", table.options().comment())
        .end();
  }
}
