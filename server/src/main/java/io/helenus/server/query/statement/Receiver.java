package io.helenus.server.query.statement;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import org.jspecify.annotations.Nullable;

/**
 * The target of a term's value. It determines the term's type, and its name in errors and metadata.
 * Immutable; any thread.
 *
 * @param column the column; null for other targets (a limit, a function argument, an IN list)
 */
public record Receiver(
    String keyspace, String table, String name, CqlType type, @Nullable ColumnSchema column) {

  /** A column of a table. */
  public static Receiver of(TableSchema table, ColumnSchema column) {
    return new Receiver(table.keyspace(), table.name(), column.name(), column.type(), column);
  }

  /** A target that is not a column, in a statement on a table. */
  public static Receiver of(TableSchema table, String name, CqlType type) {
    return new Receiver(table.keyspace(), table.name(), name, type, null);
  }
}
