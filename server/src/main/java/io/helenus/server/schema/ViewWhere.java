package io.helenus.server.schema;

import io.helenus.cql.ast.Relation;
import java.util.List;

/** Compiles the WHERE clauses of materialized views. One thread at a time. */
public interface ViewWhere {
  /**
   * Checks whether a SELECT of the base table could have such a clause, apart from IS NOT NULL.
   *
   * @return the columns outside the primary key of the base table that are compared with values,
   *     which a view must not do
   * @throws io.helenus.server.error.CqlException INVALID, with Cassandra's text, if it could not
   */
  List<ColumnSchema> check(Schema schema, TableSchema base, List<Relation> where);

  /**
   * Compiles a clause that has been checked and compares key columns only.
   *
   * @throws io.helenus.server.error.CqlException INVALID if a value is null, or if the comparison
   *     is not supported
   */
  List<ViewSchema.Condition> compile(Schema schema, TableSchema base, List<Relation> where);
}
