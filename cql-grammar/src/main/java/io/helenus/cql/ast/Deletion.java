package io.helenus.cql.ast;

/** One element that DELETE removes from a row. */
public sealed interface Deletion {

  /** The column deleted from. */
  String column();

  /** {@code column}. */
  record Column(String column) implements Deletion {}

  /** {@code column[key]}. */
  record Element(String column, Term key) implements Deletion {}

  /** {@code column.field}. */
  record Field(String column, String field) implements Deletion {}
}
