package io.helenus.server.query.statement;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import org.jspecify.annotations.Nullable;

/**
 * What a term gives its value to: tells the term's type and names it in errors and metadata.
 *
 * @param column the column itself; null for anything else (a limit, an argument, a list of values)
 */
public record Receiver(
    String keyspace, String table, String name, CqlType type, @Nullable ColumnSchema column) {

  public static Receiver of(TableSchema table, ColumnSchema column) {
    return new Receiver(table.keyspace(), table.name(), column.name(), column.type(), column);
  }

  public static Receiver of(TableSchema table, String name, CqlType type) {
    return new Receiver(table.keyspace(), table.name(), name, type, null);
  }
}
