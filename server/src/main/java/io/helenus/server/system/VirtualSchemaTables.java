package io.helenus.server.system;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;

/** The tables of {@code system_virtual_schema}: the virtual keyspaces, described. One read. */
final class VirtualSchemaTables {
  private final Schema schema;

  VirtualSchemaTables(Schema schema) {
    this.schema = schema;
  }

  void produce(String name, VirtualRows rows) {
    for (KeyspaceSchema keyspace : schema.keyspaces()) {
      if (!keyspace.isVirtual() || !rows.wantsPartition(keyspace.name())) {
        continue;
      }
      if (name.equals("keyspaces")) {
        rows.row().text("keyspace_name", keyspace.name()).end();
        continue;
      }
      for (TableSchema table : keyspace.tables()) {
        if (name.equals("tables")) {
          rows.row()
              .text("keyspace_name", keyspace.name())
              .text("table_name", table.name())
              .text("comment", table.options().comment())
              .end();
        } else {
          for (ColumnSchema column : table.columns()) {
            SchemaTables.column(table, column, rows);
          }
        }
      }
    }
  }
}
