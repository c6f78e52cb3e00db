package io.helenus.server.query.statement;

/** The statements that have a WHERE clause or a key; the names appear in Cassandra's errors. */
public enum StatementKind {
  /** SELECT. */
  SELECT,
  /** INSERT. */
  INSERT,
  /** UPDATE. */
  UPDATE,
  /** DELETE. */
  DELETE
}
