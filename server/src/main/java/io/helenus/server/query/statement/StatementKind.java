package io.helenus.server.query.statement;

/** The statements that restrict rows; the names appear in messages. */
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
