package io.helenus.server.query.plan;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import org.jspecify.annotations.Nullable;

/**
 * What a term gives its value to: tells the term's type and names it in errors and metadata.
 *
 * @param column the column itself; null for anything else (a limit, an argument, a list of values)
 */
record Receiver(
    String keyspace, String table, String name, CqlType type, @Nullable ColumnSchema column) {

  static Receiver of(TableSchema table, ColumnSchema column) {
    return new Receiver(table.keyspace(), table.name(), column.name(), column.type(), column);
  }

  static Receiver of(TableSchema table, String name, CqlType type) {
    return new Receiver(table.keyspace(), table.name(), name, type, null);
  }
}
