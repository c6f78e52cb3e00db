package io.helenus.server.query.statement;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;

/** Looks up columns by name. Stateless; any thread. */
public final class Columns {
  private Columns() {}

  /**
   * Looks up a column.
   *
   * @throws CqlException INVALID if the table has no such column
   */
  public static ColumnSchema require(TableSchema table, String name) {
    ColumnSchema column = table.column(name);
    if (column == null) {
      throw CqlException.invalid(
          "Undefined column name " + CqlNames.quoted(name) + " in table " + table.cqlName());
    }
    return column;
  }
}
