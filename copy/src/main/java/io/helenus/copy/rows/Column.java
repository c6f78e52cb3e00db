package io.helenus.copy.rows;

import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;

/**
 * A column outside of the primary key.
 *
 * @param name as it is written in CQL, with quotes if it needs them
 * @param form how its cells are stored
 */
public record Column(String name, DataType type, Form form, boolean isStatic) {
  /** Whether a column is one cell, or one for each element, and which elements those are. */
  public enum Form {
    /** One cell: scalars, tuples and everything frozen. */
    SIMPLE,
    /** A cell for each element. */
    SET,
    /** A cell for each entry. */
    MAP,
    /** A cell for each element, in the order in which they were appended. */
    LIST,
    /** A cell for each field. */
    FIELDS,
    /** A sum of increments, without write time. */
    COUNTER;

    /** Whether elements have write times of their own. */
    public boolean hasElements() {
      return this != SIMPLE && this != COUNTER;
    }
  }

  static Column of(ColumnMetadata column) {
    return new Column(
        column.getName().asCql(true), column.getType(), form(column.getType()), column.isStatic());
  }

  private static Form form(DataType type) {
    return switch (type) {
      case SetType set when !set.isFrozen() -> Form.SET;
      case MapType map when !map.isFrozen() -> Form.MAP;
      case ListType list when !list.isFrozen() -> Form.LIST;
      case UserDefinedType fields when !fields.isFrozen() -> Form.FIELDS;
      default -> type.equals(DataTypes.COUNTER) ? Form.COUNTER : Form.SIMPLE;
    };
  }
}
