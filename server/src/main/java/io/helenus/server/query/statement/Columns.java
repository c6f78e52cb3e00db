package io.helenus.server.query.statement;

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
      throw CqlException.invalid("Undefined column name " + quoted(name) + " in table " + table);
    }
    return column;
  }

  /** Quotes a name if CQL requires it. */
  static String quoted(String name) {
    return isPlain(name) ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = c >= 'a' && c <= 'z';
      boolean later = c >= '0' && c <= '9' || c == '_';
      if (!letter && (i == 0 || !later)) {
        return false;
      }
    }
    return !name.isEmpty();
  }
}
