package io.helenus.server.schema;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.server.types.CqlType;

/** Resolves the masking functions of column definitions. One thread at a time. */
@FunctionalInterface
public interface MaskCompiler {
  /**
   * Resolves a mask.
   *
   * @param schema the schema in which the column is defined
   * @param descending whether it is an existing clustering column in descending order
   * @throws io.helenus.server.error.CqlException INVALID if there is no such masking function for
   *     the type of the column, or an argument does not fit
   */
  ColumnMask compile(
      Schema schema,
      String keyspace,
      String column,
      CqlType type,
      boolean descending,
      SchemaStatement.ColumnMask mask);
}
