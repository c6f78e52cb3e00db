package io.helenus.cql.ast;

import java.util.List;

/**
 * One CQL statement. Immutable; any thread. Names are case-folded: an unquoted name is in lower
 * case, a quoted one is as written, without its quotes. Source: CQL 3.4.7 as implemented by Apache
 * Cassandra 5.0.
 */
public sealed interface Statement
    permits SelectStatement,
        ModificationStatement,
        BatchStatement,
        TruncateStatement,
        UseStatement,
        SchemaStatement,
        RoleStatement,
        DescribeStatement,
        ExplainStatement {

  /** The name of this kind of statement, in capitals: {@code CREATE MATERIALIZED VIEW}. */
  String feature();

  /**
   * The statement's bind markers: element i has index i. Empty for the statements inside a batch
   * (the batch numbers and lists them all) and for statements that take no values.
   */
  default List<BindMarker> bindMarkers() {
    return List.of();
  }
}
