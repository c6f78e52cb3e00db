package io.helenus.cql.ast;

import java.util.Locale;

/**
 * The scalar types that CQL has a keyword for. {@code varchar} and {@code text} are kept apart as
 * they are written.
 */
public enum NativeType {
  ASCII,
  BIGINT,
  BLOB,
  BOOLEAN,
  COUNTER,
  DATE,
  DECIMAL,
  DOUBLE,
  DURATION,
  FLOAT,
  INET,
  INT,
  SMALLINT,
  TEXT,
  TIME,
  TIMESTAMP,
  TIMEUUID,
  TINYINT,
  UUID,
  VARCHAR,
  VARINT;

  private final String keyword = name().toLowerCase(Locale.ROOT);

  /** The keyword in lower case. */
  @Override
  public String toString() {
    return keyword;
  }
}
