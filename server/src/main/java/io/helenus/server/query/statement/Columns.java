package io.helenus.server.query.statement;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;

/** Columns by name, with Cassandra's refusal of unknown ones. Stateless. */
public final class Columns {
  private Columns() {}

  public static ColumnSchema require(TableSchema table, String name) {
    ColumnSchema column = table.column(name);
    if (column == null) {
      throw CqlException.invalid("Undefined column name " + quoted(name) + " in table " + table);
    }
    return column;
  }

  /** A name as it has to be written in CQL. */
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
